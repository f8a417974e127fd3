import { execFileSync } from "node:child_process";
import { statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readPack, writePack } from "../../../src/git/commits/bundle.ts";
import { missingObjects } from "../../../src/git/trees/objects.ts";
import { stagePaths, writeTree } from "../../../src/git/worktree/stage.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

/** A session's commit and a kept tree beside it, packed. */
async function pack(project: GitProject) {
  const exclude = project.git("rev-parse", "HEAD");
  project.write("b.txt", "session");
  project.git("add", "-A");
  project.git("commit", "-qm", "session");
  const commit = project.git("rev-parse", "HEAD");
  const repo = await project.open();
  project.write("kept.txt", "kept");
  await stagePaths(repo, ["kept.txt"]);
  const tree = await writeTree(repo);
  const file = join(project.folder, "objects.pack");
  await writePack(repo, { file, commits: [commit], trees: [tree], exclude });
  return { file, commit, tree, exclude };
}

test("a session's objects travel to a clone that has only the start commit", async () => {
  await using project = await createGitProject({ "old.txt": "old" });
  await using elsewhere = await createGitProject();
  elsewhere.git("fetch", "-q", project.root, "main");
  elsewhere.git("reset", "-q", "--hard", "FETCH_HEAD");
  const { file, commit, tree } = await pack(project);
  const repo = await elsewhere.open();
  expect(await missingObjects(repo, [commit, tree])).toEqual([commit, tree]);
  expect(await readPack(repo, file)).toEqual({ kind: "read" });
  expect(elsewhere.git("show", `${commit}:b.txt`)).toBe("session");
  expect(elsewhere.git("show", `${tree}:kept.txt`)).toBe("kept");
  elsewhere.git("update-ref", "refs/heads/session", commit);
  elsewhere.git("fsck", "--strict", "--no-dangling");
});

test("what the start commit holds is not packed", async () => {
  const random = Array.from({ length: 20_000 }, (_, index) => index * 7919).join(" ");
  await using project = await createGitProject({ "old.txt": random });
  const { file } = await pack(project);
  expect(project.git("cat-file", "-s", "HEAD:old.txt")).toBe(String(random.length));
  expect(statSync(file).size).toBeLessThan(2000);
});

test("a damaged, missing or linked pack is refused", async () => {
  await using project = await createGitProject();
  await using elsewhere = await createGitProject();
  const { file } = await pack(project);
  const repo = await elsewhere.open();
  const damaged = join(project.folder, "damaged.pack");
  writeFileSync(damaged, "PACK nonsense");
  expect(await readPack(repo, damaged)).toMatchObject({ kind: "refused" });
  expect(await readPack(repo, join(project.folder, "missing"))).toMatchObject({ kind: "refused" });
  const link = join(project.folder, "link.pack");
  symlinkSync(file, link);
  await expect(readPack(repo, link)).rejects.toThrow("link");
});

test("an object git's own checks refuse stays outside (T43)", async () => {
  await using project = await createGitProject();
  await using elsewhere = await createGitProject();
  const exclude = project.git("rev-parse", "HEAD");
  const blob = project.git("rev-parse", "HEAD:a.txt");
  const input = `100644 blob ${blob}\t.git\n`;
  const made = execFileSync("git", ["mktree"], { cwd: project.root, input });
  const tree = made.toString().trim();
  const file = join(project.folder, "objects.pack");
  await writePack(await project.open(), { file, commits: [], trees: [tree], exclude });
  const repo = await elsewhere.open();
  expect(await readPack(repo, file)).toMatchObject({ kind: "refused" });
  expect(await missingObjects(repo, [tree])).toEqual([tree]);
});
