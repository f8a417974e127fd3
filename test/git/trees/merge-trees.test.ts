import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { createSideWorktree } from "../../../src/git/open/side-worktree.ts";
import { mergeOnto, mergeTrees } from "../../../src/git/trees/merge-trees.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

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

type Files = Record<string, string>;

/** The tree the project has after a change; the work tree is put back. */
function treeOf(project: GitProject, files: Files): string {
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  project.git("add", "-A");
  const tree = project.git("write-tree");
  project.git("reset", "-q", "--hard");
  return tree;
}

/** Merges work of a side work tree that began at the start with what was committed since. */
async function merge(project: GitProject, { passed, work }: { passed: Files; work: Files }) {
  const repo = await project.open();
  const folder = join(project.stateDir, "side");
  const side = await createSideWorktree(repo, { folder, at: await readStartPoint(repo) });
  const tree = treeOf(project, work);
  for (const [path, content] of Object.entries(passed)) project.write(path, content);
  project.git("add", "-A");
  project.git("commit", "-qm", "passed", "--allow-empty");
  return mergeOnto(side, { onto: project.git("rev-parse", "HEAD"), tree });
}

const lines = (third: string) => `one\ntwo\n${third}\nfour\nfive\nsix\nseven\n`;

test("work on different files comes together", async () => {
  await using project = await createGitProject();
  const merged = await merge(project, { passed: { "b.txt": "b\n" }, work: { "c.txt": "c\n" } });
  expect(merged).toEqual({ kind: "merged", tree: treeOf(project, { "c.txt": "c\n" }) });
  expect(project.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

test("work on other lines of the same file comes together", async () => {
  await using project = await createGitProject({ "list.txt": lines("three") });
  const merged = await merge(project, {
    passed: { "list.txt": lines("3") },
    work: { "list.txt": `${lines("three")}eight\n` },
  });
  expect(merged).toEqual({
    kind: "merged",
    tree: treeOf(project, { "list.txt": `${lines("3")}eight\n` }),
  });
});

test("work on the same line is a conflict, and says where", async () => {
  await using project = await createGitProject({ "list.txt": lines("three") });
  const merged = await merge(project, {
    passed: { "list.txt": lines("3") },
    work: { "list.txt": lines("III"), "fine.txt": "fine\n" },
  });
  expect(merged).toEqual({ kind: "conflict", files: ["list.txt"] });
});

test.each<[string, Files, Files]>([
  ["nothing was done", { "b.txt": "b\n" }, {}],
  ["nothing has passed", {}, { "b.txt": "b\n" }],
  ["both did the same", { "b.txt": "b\n" }, { "b.txt": "b\n" }],
])("where %s the merge is what is there", async (_, passed, work) => {
  await using project = await createGitProject();
  const merged = await merge(project, { passed, work });
  expect(merged).toEqual({ kind: "merged", tree: treeOf(project, { "b.txt": "b\n" }) });
});
