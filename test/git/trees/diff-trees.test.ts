import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { diffTrees } from "../../../src/git/trees/diff-trees.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { createGitProject } from "../../support/project/git.ts";

const maxBytes = 1024 * 1024;

async function stageAll(repo: Repository) {
  const start = await readStartPoint(repo);
  const { changes } = await changesSince(repo, start);
  return { from: start.tree, to: await stageChanges(repo, { tree: start.tree, changes }) };
}

test("names, status letters and the patch come from one process", async () => {
  await using project = await createGitProject({ "b.txt": "b\n", "c.txt": "c\n" });
  project.write("a.txt", "a\nmore\n");
  rmSync(join(project.root, "b.txt"));
  rmSync(join(project.root, "c.txt"));
  symlinkSync("a.txt", join(project.root, "c.txt"));
  project.write("new\nline", "new\n");
  const repo = await project.open();
  const diff = await diffTrees(repo, { ...(await stageAll(repo)), maxBytes });
  expect(diff.files).toEqual([
    { status: "M", path: "a.txt" },
    { status: "D", path: "b.txt" },
    { status: "T", path: "c.txt" },
    { status: "A", path: "new\nline" },
  ]);
  expect(diff.patch).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
  expect(diff.patch).toContain("+more\n");
  expect(diff.isTruncated).toBe(false);
});

test("equal trees have no difference", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const diff = await diffTrees(repo, { ...(await stageAll(repo)), maxBytes });
  expect(diff).toEqual({ files: [], patch: "", isTruncated: false });
});

test("a large patch stops at the bound, and says so", async () => {
  await using project = await createGitProject();
  project.write("large.txt", "line of text\n".repeat(100_000));
  const repo = await project.open();
  const diff = await diffTrees(repo, { ...(await stageAll(repo)), maxBytes: 10_000 });
  expect(diff.isTruncated).toBe(true);
  expect(diff.files).toEqual([{ status: "A", path: "large.txt" }]);
  expect(diff.patch.length).toBeLessThan(10_000);
});

test("paths are those of the project's folder", async () => {
  await using project = await createGitProject({ "app/x": "" });
  project.write("app/x", "1");
  project.write("lib/y", "");
  const repo = await project.open({ directory: join(project.root, "app") });
  const { files } = await diffTrees(repo, { ...(await stageAll(repo)), maxBytes });
  expect(files.map(({ path }) => path)).toEqual(["x", "../lib/y"]);
});
