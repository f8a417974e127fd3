import { expect, test } from "vitest";
import { dropTrees, keepTree, missingObjects } from "../../../src/git/trees/objects.ts";
import { stagePaths, writeTree } from "../../../src/git/worktree/stage.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a kept tree survives the user's own pruning until it is dropped", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  project.write("work.txt", "half done");
  await stagePaths(repo, ["work.txt"]);
  const tree = await writeTree(repo);
  await keepTree(repo, tree);
  await keepTree(repo, tree);
  project.git("gc", "-q", "--prune=now");
  expect(await missingObjects(repo, [tree])).toEqual([]);
  project.git("log", "--all", "--oneline");
  project.git("fsck", "--strict");
  await dropTrees(repo, [tree]);
  project.git("gc", "-q", "--prune=now");
  expect(await missingObjects(repo, [tree])).toEqual([tree]);
});
