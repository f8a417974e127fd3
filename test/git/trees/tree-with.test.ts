import { expect, test } from "vitest";
import { readBlob } from "../../../src/git/trees/objects.ts";
import { treeWith, treeWithText } from "../../../src/git/trees/tree-with.ts";
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

test("a tree gets another text in one file; index and work tree stay", async () => {
  await using project = await createGitProject({ "a.json": "{}\n", "sub/b.txt": "b\n" });
  const repo = await project.open();
  const tree = project.git("rev-parse", "HEAD^{tree}");
  const made = await treeWithText(repo, { tree, path: "sub/b.txt", text: "c\n" });
  const read = async (path: string) => (await readBlob(repo, { treeish: made, path }))?.toString();
  expect([await read("a.json"), await read("sub/b.txt")]).toEqual(["{}\n", "c\n"]);
  expect(project.git("status", "--porcelain")).toBe("");
});
