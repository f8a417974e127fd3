import { expect, test } from "vitest";
import { treeWith } from "../../../src/git/trees/tree-with.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a tree with some paths as they were elsewhere: changed, added and missing ones", async () => {
  await using project = await createGitProject({ "log.txt": "1\n", "sub/gone.txt": "x\n" });
  const repo = await project.open();
  const before = project.git("rev-parse", "HEAD");
  project.write("log.txt", "2\n");
  project.write("new.md", "new\n");
  project.write("src/work.txt", "work\n");
  project.git("rm", "-q", "sub/gone.txt");
  project.git("add", "-A");
  const made = project.git("write-tree");
  project.git("reset", "-q", "--hard");
  project.write("src/work.txt", "work\n");
  project.git("add", "-A");
  const proved = project.git("write-tree");
  const paths = ["log.txt", "new.md", "sub/gone.txt", "never.txt"];
  expect(await treeWith(repo, { tree: made, paths, from: before })).toBe(proved);
  expect(await treeWith(repo, { tree: made, paths: ["log.txt"], from: before })).not.toBe(proved);
});
