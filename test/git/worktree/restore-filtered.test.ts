import {
  chmodSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { resetTo } from "../../../src/git/worktree/reset.ts";
import { restorePaths } from "../../../src/git/worktree/restore.ts";
import { parsePointer } from "../../../src/git/worktree/restore-filtered.ts";
import { syncUserIndex } from "../../../src/git/worktree/sync-user-index.ts";
import {
  addFiltered,
  addLfs,
  large,
  pointerOf,
  settle,
  small,
  storePathOf,
} from "../../support/project/filtered.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

/** Changes files, restores everything, and answers the paths that are still refused. */
async function putBack(project: GitProject, change: (path: string) => void) {
  settle(project);
  const repo = await project.open();
  const start = await readStartPoint(repo);
  change(join(project.root, "big.bin"));
  const { changes, filtered } = await changesSince(repo, start);
  expect(filtered.map(({ path }) => path)).toContain("big.bin");
  await restorePaths(repo, [...changes, ...filtered]);
  const after = await changesSince(repo, start);
  await resetTo(repo, start.tree);
  await syncUserIndex(repo);
  expect(project.git("status", "--porcelain")).toBe("");
  return [...after.changes, ...after.filtered];
}

const changes: [string, (path: string, project: GitProject) => void][] = [
  ["is written over", (_, project) => project.write("big.bin", "x")],
  ["is removed", (path) => rmSync(path)],
  ["is moved away", (path) => renameSync(path, `${path}.bin`)],
  ["becomes executable", (path) => chmodSync(path, 0o755)],
  [
    "becomes a link",
    (path, project) => {
      project.write("../outside", "mine");
      rmSync(path);
      symlinkSync("../outside", path);
    },
  ],
  [
    "becomes a folder",
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
  ],
];

test.each(changes)("a git-lfs file that %s is there again, content and all", async (_, change) => {
  await using project = await createGitProject();
  addLfs(project);
  expect(await putBack(project, (path) => change(path, project))).toEqual([]);
  expect(project.read("big.bin")).toBe(large);
  expect(statSync(join(project.root, "big.bin")).mode & 0o100).toBe(0);
  expect(existsSync(join(project.root, "big.bin.bin"))).toBe(false);
  if (existsSync(join(project.folder, "outside"))) expect(project.read("../outside")).toBe("mine");
});

test("odd names and an executable are put back as well", async () => {
  await using project = await createGitProject();
  addLfs(project);
  const name = '-it\'s "odd" $x.bin';
  project.write(name, large);
  chmodSync(join(project.root, name), 0o755);
  project.git("add", "-A");
  project.git("commit", "-qm", "odd");
  expect(
    await putBack(project, (path) => {
      project.write("big.bin", "");
      rmSync(join(project.root, name));
      expect(existsSync(path)).toBe(true);
    }),
  ).toEqual([]);
  expect(project.read(name)).toBe(large);
  expect(statSync(join(project.root, name)).mode & 0o100).toBe(0o100);
});

test.each([
  ["was changed", (project: GitProject) => project.write(storePathOf(large), large.toUpperCase())],
  [
    "is empty",
    (project: GitProject) => rmSync(join(project.root, ".git/lfs"), { recursive: true }),
  ],
])("when git-lfs' store %s the pointer is all there is", async (_, spoil) => {
  await using project = await createGitProject();
  addLfs(project);
  expect(
    await putBack(project, (path) => {
      rmSync(path);
      spoil(project);
    }),
  ).toEqual([]);
  expect(project.read("big.bin")).toBe(pointerOf(large));
});

test("of a plain filter's file there is what git keeps", async () => {
  await using project = await createGitProject();
  addFiltered(project);
  expect(await putBack(project, () => project.write("big.bin", "x"))).toEqual([]);
  expect(project.read("big.bin")).toBe(small);
});

test.each([
  [pointerOf("abc"), 3],
  [pointerOf("abc").replace("\noid", "\next-0-x sha256:1\noid"), 3],
  [pointerOf("abc").replace("git-lfs", "x"), undefined],
  [`${pointerOf("abc")}more\n`, undefined],
  ["", undefined],
])("the pointer %j names %j bytes", (text, bytes) => {
  expect(parsePointer(text)?.bytes).toBe(bytes);
});
