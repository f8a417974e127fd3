import { existsSync, rmSync, statSync, symlinkSync, truncateSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { advanceTo, resetTo } from "../../../src/git/worktree/reset.ts";
import { stageChanges, writeTree } from "../../../src/git/worktree/stage.ts";
import { createGitProject } from "../../support/project/git.ts";

test("work tree and index become exactly the tree", async () => {
  await using project = await createGitProject({ "d/e": "e", "b.txt": "b" });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("a.txt", "changed");
  rmSync(join(project.root, "d"), { recursive: true });
  symlinkSync("/etc", join(project.root, "d"));
  project.write("new/deep/file", "");
  const { changes } = await changesSince(repo, start);
  const kept = await stageChanges(repo, { tree: start.tree, changes });
  project.write("b.txt", "after the snapshot");
  project.git("init", "-q", "nested");

  await resetTo(repo, start.tree);
  expect(project.git("status", "--porcelain")).toBe("");
  expect(existsSync(join(project.root, "new"))).toBe(false);
  expect(await writeTree(repo)).toBe(start.tree);

  await resetTo(repo, kept);
  expect(project.read("a.txt")).toBe("changed");
  expect(project.read("b.txt")).toBe("b");
  expect((await changesSince(repo, start)).changes).toEqual([]);
});

test("ignored and very large files stay", async () => {
  await using project = await createGitProject({ ".gitignore": "*.log\n" });
  const repo = await project.open();
  project.write("x.log", "");
  project.write("large", "");
  truncateSync(join(project.root, "large"), 6 * 1024 * 1024);
  await resetTo(repo, (await readStartPoint(repo)).tree);
  expect(existsSync(join(project.root, "x.log"))).toBe(true);
  expect(existsSync(join(project.root, "large"))).toBe(true);
});

test("an untracked file in the way of the tree is replaced", async () => {
  await using project = await createGitProject({ "b.txt": "b" });
  const repo = await project.open();
  const start = await readStartPoint(repo);
  const without = await stageChanges(repo, {
    tree: start.tree,
    changes: [{ path: "b.txt", kind: "deleted" }],
  });
  await resetTo(repo, without);
  project.write("b.txt/in/the/way", "");
  await resetTo(repo, start.tree);
  expect(project.read("b.txt")).toBe("b");
});

test("going on from a known tree touches what differs, and is no worse where a file only has a newer date", async () => {
  await using project = await createGitProject({ "b.txt": "b" });
  const repo = await project.open();
  const { tree: from } = await readStartPoint(repo);
  project.write("a.txt", "next");
  const { changes } = await changesSince(repo, await readStartPoint(repo));
  const to = await stageChanges(repo, { tree: from, changes });
  await resetTo(repo, from);
  const before = statSync(join(project.root, "b.txt")).ctimeMs;
  await advanceTo(repo, { from, to });
  expect(project.read("a.txt")).toBe("next");
  expect(statSync(join(project.root, "b.txt")).ctimeMs).toBe(before);
  utimesSync(join(project.root, "a.txt"), 1e9, 1e9);
  await advanceTo(repo, { from: to, to: from });
  expect(project.read("a.txt")).toBe("a\n");
  expect(await writeTree(repo)).toBe(from);
});
