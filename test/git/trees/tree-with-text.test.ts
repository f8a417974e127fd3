import { expect, test } from "vitest";
import { readBlob } from "../../../src/git/trees/objects.ts";
import { treeWithText } from "../../../src/git/trees/tree-with.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a tree gets another text in one file; index and work tree stay", async () => {
  await using project = await createGitProject({ "a.json": "{}\n", "sub/b.txt": "b\n" });
  const repo = await project.open();
  const tree = project.git("rev-parse", "HEAD^{tree}");
  const made = await treeWithText(repo, { tree, path: "sub/b.txt", text: "c\n" });
  const read = async (path: string) => (await readBlob(repo, { treeish: made, path }))?.toString();
  expect([await read("a.json"), await read("sub/b.txt")]).toEqual(["{}\n", "c\n"]);
  expect(project.git("status", "--porcelain")).toBe("");
});
