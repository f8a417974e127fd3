import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  dropTrees,
  keepTree,
  missingObjects,
  readBlob,
  readBlobs,
  readCommit,
  readFiles,
  treeOf,
} from "../../../src/git/trees/objects.ts";
import { stagePaths, writeTree } from "../../../src/git/worktree/stage.ts";
import { createGitProject } from "../../support/project/git.ts";

test("a file is read from a commit or a tree, below the project's folder", async () => {
  await using project = await createGitProject({ "app/x": "in app", "app/e m p t y": "" });
  const repo = await project.open({ directory: join(project.root, "app") });
  const tree = project.git("rev-parse", "HEAD^{tree}");
  const read = async (treeish: string, path: string) =>
    (await readBlob(repo, { treeish, path }))?.toString();
  expect(await read("HEAD", "x")).toBe("in app");
  expect(await read(tree, "../a.txt")).toBe("a\n");
  expect(await read(tree, "e m p t y")).toBe("");
  expect(await read(tree, "missing")).toBeUndefined();
});

test("files are read together, in the order asked for", async () => {
  await using project = await createGitProject({ b: "same", c: "same", d: "" });
  const repo = await project.open();
  const paths = ["d", "missing", "c", "b"];
  const contents = await readFiles(repo, { treeish: "HEAD", paths });
  expect(contents.map((content) => content?.toString())).toEqual(["", undefined, "same", "same"]);
});

test("a content that is not here is an error, never an empty file", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const known = project.git("rev-parse", "HEAD:a.txt");
  await expect(readBlobs(repo, ["1".repeat(40), known])).rejects.toThrow("missing");
});

test("ids that are no object here are named, nonsense included", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const known = project.git("rev-parse", "HEAD");
  const unknown = "1".repeat(40);
  const nonsense = `--batch\n${known}`;
  expect(await missingObjects(repo, [known, unknown, nonsense, "HEAD"])).toEqual([
    unknown,
    nonsense,
    "HEAD",
  ]);
});

test("a commit's tree, parents, message and trailers are read for the audit", async () => {
  await using project = await createGitProject();
  const parent = project.git("rev-parse", "HEAD");
  const message =
    "feat(T-001): x\n\nBody: not a trailer\n\nRalph-Task: T-001\nRalph-Journal: 12:abc\n";
  project.git("commit", "-q", "--allow-empty", "-m", message);
  const repo = await project.open();
  const commit = project.git("rev-parse", "HEAD");
  const facts = await readCommit(repo, commit);
  expect(facts).toMatchObject({
    tree: await treeOf(repo, commit),
    parents: [parent],
    trailers: [
      { key: "Ralph-Task", value: "T-001" },
      { key: "Ralph-Journal", value: "12:abc" },
    ],
  });
  expect(facts?.message).toContain("Body: not a trailer");
});

test("an id that is not a commit has no facts", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  for (const id of ["0".repeat(40), "HEAD", "--all", project.git("rev-parse", "HEAD:a.txt")]) {
    expect(await readCommit(repo, id)).toBeUndefined();
  }
});

test("a link in a commit is not read as a file (T38)", async () => {
  await using project = await createGitProject();
  symlinkSync("a.txt", join(project.root, "link"));
  project.git("add", "-A");
  project.git("commit", "-qm", "link");
  const repo = await project.open();
  expect(await readBlob(repo, { treeish: "HEAD", path: "link" })).toBeUndefined();
});

test("a file that git fails to look for is no missing file", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const ask = async () => ({
    exitCode: 128,
    stdout: Buffer.alloc(0),
    stderr: "fatal: write error: No space left on device",
  });
  const full = { ...repo, system: { ...repo.system, ask } };
  await expect(readBlob(full, { treeish: "HEAD", path: "a.txt" })).rejects.toThrow("No space left");
  expect(await readBlob(repo, { treeish: "1".repeat(40), path: "a.txt" })).toBeUndefined();
});

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
