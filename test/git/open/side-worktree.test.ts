import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import {
  advanceSideWorktree,
  createSideWorktree,
  moveSideWorktree,
  putHeadBack,
  reopenSideWorktree,
} from "../../../src/git/open/side-worktree.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

const folderOf = ({ stateDir }: GitProject) => join(stateDir, "workers/agent-1");
const lost = { branch: "", commit: "" };

async function setUp(files: Record<string, string> = {}) {
  const project = await createGitProject({ ".gitignore": "cache/\n", ...files });
  const repo = await project.open();
  const { commit, tree } = await readStartPoint(repo);
  const folder = folderOf(project);
  const side = await createSideWorktree(repo, { folder, at: { commit, tree } });
  return { project, repo, side, folder, at: { commit, tree } };
}

test("it holds the tree, its own git answers, and the repository knows nothing of it", async () => {
  const { project, side, at } = await setUp({ "src/b.txt": "b\n" });
  await using _ = project;
  expect(readFileSync(join(side.root, "src/b.txt"), "utf8")).toBe("b\n");
  expect(project.gitIn(side.root, "status", "--porcelain")).toBe("");
  expect(project.gitIn(side.root, "rev-parse", "HEAD")).toBe(at.commit);
  expect(project.gitIn(side.root, "rev-parse", "--show-toplevel")).toBe(side.worktree);
  expect(project.git("worktree", "list").split("\n")).toHaveLength(1);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("its changes become a tree, and neither the project nor its index sees them", async () => {
  const { project, side, at } = await setUp();
  await using _ = project;
  writeFileSync(join(side.root, "new.txt"), "new\n");
  const { changes } = await changesSince(side, lost);
  expect(changes).toEqual([{ path: "new.txt", kind: "added" }]);
  const tree = await stageChanges(side, { tree: at.tree, changes });
  expect(project.git("ls-tree", "--name-only", tree)).toContain("new.txt");
  expect(project.git("status", "--porcelain")).toBe("");
  expect(existsSync(join(project.root, "new.txt"))).toBe(false);
});

test("commits made in it move no branch, and its HEAD and link are put back", async () => {
  const { project, side, at } = await setUp();
  await using _ = project;
  writeFileSync(join(side.root, "new.txt"), "new\n");
  project.gitIn(side.root, "add", "-A");
  project.gitIn(side.root, "commit", "-qm", "mine");
  expect(project.git("rev-parse", "main")).toBe(at.commit);
  rmSync(join(side.root, ".git"));
  symlinkSync("/nowhere", join(side.root, ".git"));
  await putHeadBack(side);
  expect(project.gitIn(side.root, "rev-parse", "HEAD")).toBe(at.commit);
  const { changes } = await changesSince(side, lost);
  expect(changes.map(({ path }) => path)).toEqual(["new.txt"]);
});

test("it moves to another commit; ignored files stay, the rest goes", async () => {
  const { project, side } = await setUp();
  await using _ = project;
  project.write("c.txt", "c\n");
  project.git("add", "-A");
  project.git("commit", "-qm", "next");
  const [commit = "", tree = ""] = project.git("rev-parse", "HEAD", "HEAD^{tree}").split("\n");
  writeFileSync(join(side.root, "junk.txt"), "junk\n");
  writeFileSync(join(side.root, "a.txt"), "changed\n");
  project.gitIn(side.root, "init", "-q", "cache/nested");
  await moveSideWorktree(side, { commit, tree });
  expect(project.gitIn(side.root, "status", "--porcelain")).toBe("");
  expect(project.gitIn(side.root, "rev-parse", "HEAD")).toBe(commit);
  expect(existsSync(join(side.root, "junk.txt"))).toBe(false);
  expect(existsSync(join(side.root, "cache/nested"))).toBe(true);
});

test("it moves to a merge of its own work, also where an ignored file is in the way", async () => {
  const { project, side, at } = await setUp();
  await using _ = project;
  writeFileSync(join(side.root, "work.txt"), "work\n");
  const { changes } = await changesSince(side, lost);
  const from = await stageChanges(side, { tree: at.tree, changes });
  project.git("read-tree", from);
  for (const path of ["c.txt", "cache/d.txt"]) {
    project.write(path, "theirs\n");
    project.git("add", "-f", path);
    const tree = project.git("write-tree");
    mkdirSync(join(side.root, "cache"), { recursive: true });
    writeFileSync(join(side.root, "cache/d.txt"), "mine\n");
    await advanceSideWorktree(side, { from, at: { commit: at.commit, tree } });
    expect(readFileSync(join(side.root, path), "utf8")).toBe("theirs\n");
    expect((await changesSince(side, lost)).changes).toEqual([]);
    expect(project.gitIn(side.root, "write-tree")).toBe(tree);
    await advanceSideWorktree(side, { from: tree, at: { commit: at.commit, tree: from } });
  }
});

test("one that was left behind is opened again, one that was never finished is not", async () => {
  const { project, repo, side, folder } = await setUp();
  await using _ = project;
  writeFileSync(join(side.privateDir, "index.lock"), "");
  writeFileSync(join(side.root, "new.txt"), "new\n");
  const again = await reopenSideWorktree(repo, folder);
  expect(again && (await changesSince(again, lost)).changes).toHaveLength(1);
  rmSync(join(side.privateDir, "index"));
  expect(await reopenSideWorktree(repo, folder)).toBeUndefined();
  expect(await reopenSideWorktree(repo, `${folder}0`)).toBeUndefined();
});

test("made again, nothing of the one before is left", async () => {
  const { project, repo, side, folder, at } = await setUp();
  await using _ = project;
  writeFileSync(join(side.root, "junk.txt"), "junk\n");
  const again = await createSideWorktree(repo, { folder, at });
  expect(existsSync(join(again.root, "junk.txt"))).toBe(false);
});

test("a project below the root of its repository has its place in it", async () => {
  await using project = await createGitProject({ "packages/one/a.txt": "a\n" });
  const repo = await project.open({ directory: join(project.root, "packages/one") });
  const { commit, tree } = await readStartPoint(repo);
  const side = await createSideWorktree(repo, { folder: folderOf(project), at: { commit, tree } });
  expect(side.root).toBe(join(side.worktree, "packages/one"));
  writeFileSync(join(side.root, "new.txt"), "new\n");
  expect((await changesSince(side, lost)).changes).toEqual([{ path: "new.txt", kind: "added" }]);
});
