import { statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dirtyPaths, readStartPoint } from "../../../src/git/commits/start-point.ts";
import { parseIndexEntries } from "../../../src/git/trees/index-entries.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { stagePaths } from "../../../src/git/worktree/stage.ts";
import { syncUserIndex } from "../../../src/git/worktree/sync-user-index.ts";
import { addFiltered, addLfs, checkOut, large } from "../../support/project/filtered.ts";
import { createGitProject } from "../../support/project/git.ts";

const clean = { ours: [], others: [] };

test.each([
  ["a plain filter", addFiltered],
  ["git-lfs", addLfs],
])("what %s has just checked out is clean, also when git writes its index", async (_, add) => {
  await using project = await createGitProject();
  add(project);
  const repo = await project.open();
  expect(await dirtyPaths(repo)).toEqual(clean);
  project.write("a.txt", "b\n");
  await stagePaths(repo, ["a.txt"]);
  const seen = await changesSince(repo, await readStartPoint(repo));
  expect(seen).toMatchObject({ changes: [], filtered: [] });
  await syncUserIndex(repo);
  expect(project.git("status", "--porcelain")).toBe("M  a.txt");
  expect(project.read("big.bin")).toBe(large);
});

test("a second session right after finds it clean too", async () => {
  await using project = await createGitProject();
  addFiltered(project);
  await project.open();
  expect(await dirtyPaths(await project.open())).toEqual(clean);
});

test("a change that leaves size and time as they were is seen", async () => {
  await using project = await createGitProject();
  addFiltered(project);
  const repo = await project.open();
  const { atime, mtime } = statSync(join(project.root, "big.bin"));
  project.write("big.bin", large.toUpperCase());
  utimesSync(join(project.root, "big.bin"), atime, mtime);
  const { filtered } = await changesSince(repo, await readStartPoint(repo));
  expect(filtered).toEqual([{ path: "big.bin", kind: "modified" }]);
});

test.each(["a.txt", "big.bin"])(
  "what the user changed in %s in the same instant is not hidden",
  async (path) => {
    await using project = await createGitProject();
    addFiltered(project);
    checkOut(project);
    project.write(path, project.read(path).toUpperCase());
    const { others } = await dirtyPaths(await project.open());
    expect(others.map((each) => each.path)).toContain(path);
  },
);

test("a file only the user's git can judge is named as such", async () => {
  await using project = await createGitProject();
  addFiltered(project);
  utimesSync(join(project.root, "big.bin"), 1, 1);
  const { others } = await dirtyPaths(await project.open());
  expect(others).toEqual([{ path: "big.bin", state: "filtered" }]);
  project.git("status");
  expect(await dirtyPaths(await project.open())).toEqual(clean);
});

test("entries are read for any names, and unknown formats are left out", () => {
  const facts =
    "  ctime: 12:345000000\n  mtime: 1:0\n  dev: 1\tino: 2\n  uid: 0\tgid: 0\n  size: 7\tflags: 0\n";
  const entry = (path: string, stage = 0) => `100644 ${"a".repeat(40)} ${stage}\t${path}\0${facts}`;
  const output = Buffer.from(entry("a\nb") + entry("conflict", 1) + entry("c\xe9"), "latin1");
  const rest = { mode: "100644", blob: "a".repeat(40), bytes: 7, changedMs: 12345 };
  expect(parseIndexEntries(output)).toEqual([
    { path: "a\nb", ...rest },
    { path: "c\udce9", ...rest },
  ]);
});
