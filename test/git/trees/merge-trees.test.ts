import { expect, test } from "vitest";
import { mergeTrees } from "../../../src/git/trees/merge-trees.ts";
import { createGitProject } from "../../support/project/git.ts";

/** Two branches that both went on from main, each with one file. */
async function createFork(ours: Record<string, string>, theirs: Record<string, string>) {
  const project = await createGitProject();
  for (const [branch, files] of Object.entries({ ours, theirs })) {
    project.git("checkout", "-q", "-b", branch, "main");
    for (const [path, content] of Object.entries(files)) project.write(path, content);
    project.git("add", "-A");
    project.git("commit", "-qm", branch);
  }
  return project;
}

test("two commits that go together become a tree with both, and nothing else is touched", async () => {
  await using project = await createFork({ "b.txt": "b\n" }, { "c.txt": "c\n" });
  const before = [project.git("status", "--porcelain"), project.git("for-each-ref")];
  const merge = await mergeTrees(await project.open(), { ours: "ours", theirs: "theirs" });
  if (merge.kind !== "merged") throw new Error(merge.kind);
  expect(project.git("ls-tree", "--name-only", merge.tree).split("\n")).toEqual([
    "a.txt",
    "b.txt",
    "c.txt",
  ]);
  expect([project.git("status", "--porcelain"), project.git("for-each-ref")]).toEqual(before);
});

test("what conflicts is named, each path once, whatever its name is", async () => {
  const name = "odd\nname.txt";
  await using project = await createFork(
    { "a.txt": "1\n", [name]: "1\n" },
    { "a.txt": "2\n", [name]: "2\n" },
  );
  const merge = await mergeTrees(await project.open(), { ours: "ours", theirs: "theirs" });
  expect(merge).toEqual({ kind: "conflict", files: ["a.txt", name] });
});

test("a driver that attributes name is not run: git's own way decides", async () => {
  const attributes = { ".gitattributes": "a.txt merge=evil\n" };
  await using project = await createFork({ "a.txt": "1\n", ...attributes }, { "a.txt": "2\n" });
  project.git("config", "merge.evil.driver", "touch ../evil; true");
  const merge = await mergeTrees(await project.open(), { ours: "ours", theirs: "theirs" });
  expect(merge).toMatchObject({ kind: "conflict", files: ["a.txt"] });
});

test("commits without a common history are reported as such", async () => {
  await using project = await createFork({ "b.txt": "b\n" }, { "c.txt": "c\n" });
  const other = project.git("commit-tree", "main^{tree}", "-m", "other");
  const merge = await mergeTrees(await project.open(), { ours: "ours", theirs: other });
  expect(merge).toMatchObject({ kind: "unknown", because: expect.stringContaining("unrelated") });
});
