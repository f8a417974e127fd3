import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasSubmodules, listPaths, listTree } from "../../../src/git/trees/list-paths.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { createGitProject } from "../../support/project/git.ts";

test("the paths of the index and of a tree are those below the project's folder", async () => {
  await using project = await createGitProject({ "app/x": "", "app/d/*": "", "app/d/y": "" });
  const repo = await project.open({ directory: join(project.root, "app") });
  expect(await listPaths(repo)).toEqual(["d/*", "d/y", "x"]);
  rmSync(join(project.root, "app/x"));
  await stageChanges(repo, { tree: "", changes: [{ path: "x", kind: "deleted" }] });
  expect(await listPaths(repo, "d")).toEqual(["d/*", "d/y"]);
  expect(await listPaths(repo, "d/*")).toEqual(["d/*"]);
  expect(await listPaths(repo, "x")).toEqual([]);
  expect(await listTree(repo, "HEAD")).toEqual(["../a.txt", "d/*", "d/y", "x"]);
});

test("only submodules of the commit count, not those that were added after it", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = project.git("rev-parse", "HEAD");
  project.git("update-index", "--add", "--cacheinfo", `160000,${start},lib`);
  project.git("commit", "-qm", "a submodule");
  expect(await hasSubmodules(repo, start)).toBe(false);
  expect(await hasSubmodules(repo, project.git("rev-parse", "HEAD"))).toBe(true);
});
