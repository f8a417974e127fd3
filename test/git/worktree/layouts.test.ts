import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../../src/git/commits/commit.ts";
import { dirtyPaths, readStartPoint } from "../../../src/git/commits/start-point.ts";
import type { Repository } from "../../../src/git/repository/repository.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { resetTo } from "../../../src/git/worktree/reset.ts";
import { restorePaths } from "../../../src/git/worktree/restore.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { syncUserIndex } from "../../../src/git/worktree/sync-user-index.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

/** One task in a repository of whatever shape: an edit is committed, another one is put back. */
async function runTask(repo: Repository, project: GitProject): Promise<string> {
  const write = (path: string, text: string) => writeFileSync(join(repo.root, path), text);
  const start = await readStartPoint(repo);
  expect(await dirtyPaths(repo)).toEqual({ ours: [], others: [] });
  write("task.txt", "work");
  write("refused.txt", "evil");
  const { changes } = await changesSince(repo, start);
  expect(changes.map(({ path }) => path)).toEqual(["refused.txt", "task.txt"]);
  await restorePaths(repo, changes.slice(0, 1));
  const tree = await stageChanges(repo, { tree: start.tree, changes: changes.slice(1) });
  const rest = { message: "task\n", paths: [], date: "2026-01-25T14:30:52Z" };
  const work = { branch: start.branch, parent: start.commit, tree, ...rest };
  const head = await commitWork(repo, work);
  await syncUserIndex(repo);
  await resetTo(repo, tree);
  expect(project.gitIn(repo.worktree, "status", "--porcelain")).toBe("");
  expect(project.gitIn(repo.worktree, "rev-parse", "HEAD")).toBe(head.commit);
  expect((await changesSince(repo, head)).headMoved).toBe(false);
  return head.commit;
}

test("a linked work tree commits to its own branch", async () => {
  await using project = await createGitProject();
  const directory = join(project.folder, "linked");
  project.git("worktree", "add", "-q", "-b", "side", directory);
  const repo = await project.open({ directory });
  expect(repo.gitDir).toBe(join(project.root, ".git/worktrees/linked"));
  const commit = await runTask(repo, project);
  expect(project.git("rev-parse", "side")).toBe(commit);
  expect(project.git("rev-parse", "main")).not.toBe(commit);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a shallow clone works, and stays shallow", async () => {
  await using project = await createGitProject();
  project.git("commit", "-q", "--allow-empty", "-m", "second");
  const directory = join(project.folder, "shallow");
  project.git("clone", "-q", "--depth", "1", `file://${project.root}`, directory);
  await runTask(await project.open({ directory }), project);
  expect(project.gitIn(directory, "rev-list", "--count", "HEAD")).toBe("2");
  project.gitIn(directory, "fsck");
});

test("a submodule is a repository of its own", async () => {
  await using project = await createGitProject();
  project.git("init", "-q", "-b", "main", "../outer");
  const outer = join(project.folder, "outer");
  const allow = ["-c", "protocol.file.allow=always"];
  project.gitIn(outer, ...allow, "submodule", "--quiet", "add", project.root, "sub");
  const repo = await project.open({ directory: join(outer, "sub") });
  expect(repo.gitDir).toBe(join(outer, ".git/modules/sub"));
  await runTask(repo, project);
});

test("a repository with submodules does not look into them", async () => {
  await using project = await createGitProject();
  const inner = join(project.folder, "inner");
  project.git("clone", "-q", project.root, inner);
  const allow = ["-c", "protocol.file.allow=always"];
  project.git(...allow, "submodule", "--quiet", "add", inner, "sub");
  project.git("commit", "-qm", "sub");
  const repo = await project.open();
  project.write("sub/a.txt", "changed in the submodule");
  const { changes, nested } = await changesSince(repo, await readStartPoint(repo));
  expect([...changes, ...nested]).toEqual([]);
  await resetTo(repo, (await readStartPoint(repo)).tree);
  expect(project.read("sub/a.txt")).toBe("changed in the submodule");
});

test("a project below the git root works", async () => {
  await using project = await createGitProject({ "app/x": "" });
  const commit = await runTask(
    await project.open({ directory: join(project.root, "app") }),
    project,
  );
  expect(project.git("show", "--format=", "--name-only", commit)).toBe("app/task.txt");
});

test("SHA-256 object ids work", async () => {
  await using project = await createGitProject();
  const directory = join(project.folder, "sha256");
  project.git("init", "-q", "-b", "main", "--object-format=sha256", directory);
  project.gitIn(directory, "commit", "-q", "--allow-empty", "-m", "start");
  const commit = await runTask(await project.open({ directory }), project);
  expect(commit).toHaveLength(64);
});

test("files outside a sparse checkout stay absent, and stay in the commit", async () => {
  await using project = await createGitProject({ "in/x": "", "out/y": "" });
  project.git("sparse-checkout", "set", "--cone", "in");
  const repo = await project.open();
  expect(existsSync(join(project.root, "out"))).toBe(false);
  const commit = await runTask(repo, project);
  expect(existsSync(join(project.root, "out"))).toBe(false);
  expect(project.git("ls-tree", "-r", "--name-only", commit)).toContain("out/y");
  expect(project.git("ls-files", "-t", "out")).toBe("S out/y");
});

test("a split index of the user is read whole", async () => {
  await using project = await createGitProject();
  project.git("update-index", "--split-index");
  project.write("b.txt", "");
  project.git("add", "-A");
  project.git("commit", "-qm", "b");
  expect(readdirSync(join(project.root, ".git")).join()).toContain("sharedindex");
  await runTask(await project.open(), project);
});

test("packed refs are read and moved", async () => {
  await using project = await createGitProject();
  project.git("pack-refs", "--all", "--prune");
  await runTask(await project.open(), project);
});

test("a branch name with slashes and other letters works", async () => {
  await using project = await createGitProject();
  project.git("switch", "-q", "-c", "ralph/Übung/x");
  await runTask(await project.open(), project);
});

test("a CRLF work tree under autocrlf is clean, and is written with CRLF", async () => {
  await using project = await createGitProject();
  project.git("config", "core.autocrlf", "true");
  rmSync(join(project.root, "a.txt"));
  project.git("checkout", "-q", "a.txt");
  expect(project.read("a.txt")).toBe("a\r\n");
  const repo = await project.open();
  utimesSync(join(project.root, "a.txt"), 1, 1);
  expect(await dirtyPaths(repo)).toEqual({ ours: [], others: [] });
  project.write("a.txt", "evil");
  await restorePaths(repo, [{ path: "a.txt", kind: "modified" }]);
  expect(project.read("a.txt")).toBe("a\r\n");
  project.write("b.txt", "b\r\n");
  const { tree } = await readStartPoint(repo);
  const staged = await stageChanges(repo, { tree, changes: [{ path: "b.txt", kind: "added" }] });
  expect(execFileSync("git", ["show", `${staged}:b.txt`], { cwd: project.root }).toString()).toBe(
    "b\n",
  );
});

test("git-lfs pointers without git-lfs are clean and stay pointers", async () => {
  const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n";
  await using project = await createGitProject({
    ".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n",
    "big.bin": pointer,
  });
  project.git("config", "filter.lfs.required", "true");
  const repo = await project.open();
  utimesSync(join(project.root, "big.bin"), 1, 1);
  expect((await changesSince(repo, await readStartPoint(repo))).filtered).toEqual([]);
  rmSync(join(project.root, "big.bin"));
  const { filtered } = await changesSince(repo, await readStartPoint(repo));
  await restorePaths(repo, filtered);
  expect(project.read("big.bin")).toBe(pointer);
  expect(statSync(join(project.root, "big.bin")).size).toBe(pointer.length);
});
