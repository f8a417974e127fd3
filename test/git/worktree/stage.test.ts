import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { stageChanges, stagePaths, writeTree } from "../../../src/git/worktree/stage.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

test("nothing changed: the same tree, without any process", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const ask = () => Promise.reject(new Error("a process was started"));
  const idle = { ...repo, system: { ...repo.system, ask } };
  expect(await stageChanges(idle, { tree: "t", changes: [] })).toBe("t");
});

const edits: [string, (project: GitProject) => void][] = [
  ["modified, added and deleted files", mixed],
  ["a link in place of a folder", folderToLink],
  ["an ignored link in place of a folder", ignoredFolderLink],
  ["a folder in place of a file", fileToFolder],
  ["a file in place of a folder", folderToFile],
  ["odd names", (project) => project.write('-x\n"y', "")],
];

test.each(edits)("%s give the tree `git add -A` would", async (_, edit) => {
  await using project = await createGitProject({
    "d/e": "e",
    "d/f": "f",
    ".gitignore": "/vendor\n",
  });
  project.write("vendor/x", "");
  project.git("add", "-f", "vendor/x");
  project.git("commit", "-qm", "vendor");
  const repo = await project.open();
  const start = await readStartPoint(repo);
  edit(project);
  const { changes } = await changesSince(repo, start);
  const tree = await stageChanges(repo, { tree: start.tree, changes });
  expect((await changesSince(repo, start)).changes).toEqual([]);
  project.git("add", "-A");
  expect(tree).toBe(project.git("write-tree"));
  expect(tree).not.toBe(start.tree);
});

test("a second look compares with the staged files", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("a.txt", "one");
  const { changes } = await changesSince(repo, start);
  const tree = await stageChanges(repo, { tree: start.tree, changes });
  project.write("a.txt", "a\n");
  const back = await changesSince(repo, start);
  expect(back.changes).toEqual([{ path: "a.txt", kind: "modified" }]);
  expect(await stageChanges(repo, { tree, changes: back.changes })).toBe(start.tree);
});

test("a named path takes the place of a folder the index still holds", async () => {
  await using project = await createGitProject({ "d/e": "e" });
  const repo = await project.open();
  folderToFile(project);
  await stagePaths(repo, ["d"]);
  expect(project.git("ls-tree", "-r", "--name-only", await writeTree(repo))).toBe("a.txt\nd");
});

test("the user's own index is not touched", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  project.write("a.txt", "one");
  await stageChanges(repo, { tree: "", changes: [{ path: "a.txt", kind: "modified" }] });
  expect(project.git("diff", "--cached", "--name-only")).toBe("");
});

function mixed(project: GitProject): void {
  project.write("a.txt", "more");
  project.write("new/file", "");
  rmSync(join(project.root, "d/e"));
}

function folderToLink(project: GitProject): void {
  rmSync(join(project.root, "d"), { recursive: true });
  symlinkSync("/tmp", join(project.root, "d"));
}

function ignoredFolderLink(project: GitProject): void {
  rmSync(join(project.root, "vendor"), { recursive: true });
  symlinkSync("/tmp", join(project.root, "vendor"));
}

function fileToFolder(project: GitProject): void {
  rmSync(join(project.root, "a.txt"));
  project.write("a.txt/inside", "");
}

function folderToFile(project: GitProject): void {
  rmSync(join(project.root, "d"), { recursive: true });
  project.write("d", "file");
}
