import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dirtyPaths } from "../../../src/git/commits/start-point.ts";
import { cloneAside } from "../../../src/git/open/clone-aside.ts";
import { openSideRepository } from "../../../src/git/open/open-side-repository.ts";
import { addLfs, large, pointerOf } from "../../support/project/filtered.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

/** A clone of the project's (or another folder's) commit, below the state directory. */
async function clone(
  project: GitProject,
  { directory = project.root, commit = "", without = "ralph/example" } = {},
) {
  const privateDir = join(project.stateDir, "side");
  await using side = await openSideRepository(project.system, { directory, privateDir });
  const folder = join(project.stateDir, "aside");
  mkdirSync(folder);
  const root = await cloneAside(project.system, side, {
    folder,
    commit: commit || project.gitIn(directory, "rev-parse", "HEAD"),
    without,
  });
  return { root, git: (...args: string[]) => project.gitIn(root, ...args) };
}

test("a clone holds the commit's files and nothing else of the work tree", async () => {
  await using project = await createGitProject({ ".gitignore": "cache/\n", "b/c.txt": "c\n" });
  project.write("a.txt", "changed\n");
  project.write("cache/result", "faked\n");
  project.write("new.txt", "new\n");
  const { root, git } = await clone(project);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("a\n");
  expect(readFileSync(join(root, "b/c.txt"), "utf8")).toBe("c\n");
  expect(["cache", "new.txt"].some((name) => existsSync(join(root, name)))).toBe(false);
  expect(git("status", "--porcelain", "--ignored")).toBe("");
  expect(project.git("status", "--porcelain")).toBe("M a.txt\n?? new.txt");
});

test("it has the history with its branches and tags, but for the one that is left out", async () => {
  await using project = await createGitProject();
  project.git("tag", "-m", "one", "v1");
  project.git("branch", "side");
  project.git("branch", "ralph/example");
  project.git("gc", "-q");
  const { git } = await clone(project);
  expect(git("describe")).toBe("v1");
  const refs = git("for-each-ref", "--format=%(refname)").split("\n");
  expect(refs).toEqual([
    "refs/heads/main",
    "refs/heads/ralph-clone",
    "refs/heads/side",
    "refs/tags/v1",
  ]);
  expect(git("fsck", "--strict")).not.toContain("missing");
});

test("it takes over no hook and no setting of the repository", async () => {
  await using project = await createGitProject();
  project.write(".git/hooks/post-checkout", "#!/bin/sh\ntouch ../ran\n");
  project.git("config", "core.fsmonitor", "touch ../ran");
  project.git("config", "alias.own", "status");
  const { git, root } = await clone(project);
  expect(git("config", "--local", "--list")).not.toMatch(/fsmonitor|alias/);
  expect(existsSync(join(root, ".git/hooks"))).toBe(false);
  expect(existsSync(join(project.folder, "ran"))).toBe(false);
});

test("a shallow clone, a linked work tree and one commit of the past can be cloned", async () => {
  await using project = await createGitProject();
  project.git("commit", "-q", "--allow-empty", "-m", "second");
  const shallow = join(project.folder, "shallow");
  project.git("clone", "-q", "--depth=1", `file://${project.root}`, shallow);
  const linked = join(shallow, "../linked");
  project.gitIn(shallow, "worktree", "add", "-q", "--detach", linked);
  const { git } = await clone(project, { directory: linked });
  expect(git("log", "--format=%s")).toBe("second");
});

test("the project root below the repository's is the clone's root too", async () => {
  await using project = await createGitProject({ "part/x.txt": "x\n" });
  const { root } = await clone(project, { directory: join(project.root, "part") });
  expect(root).toMatch(/\/clone\/part$/);
  expect(existsSync(join(root, "x.txt"))).toBe(true);
});

test("files of git-lfs are there as far as the repository's store has them", async () => {
  await using project = await createGitProject();
  addLfs(project);
  const pointer = pointerOf("never downloaded\n");
  project.git("config", "filter.lfs.clean", "cat");
  project.write("absent.bin", pointer);
  project.git("add", "absent.bin");
  project.git("commit", "-qm", "another");
  const { root, git } = await clone(project);
  expect(readFileSync(join(root, "big.bin"), "utf8")).toBe(large);
  expect(readFileSync(join(root, "absent.bin"), "utf8")).toBe(pointer);
  expect(git("status", "--porcelain")).toBe("");
  const stateDir = join(project.folder, "other");
  mkdirSync(stateDir);
  const opened = await project.open({ directory: root, stateDir });
  expect(await dirtyPaths(opened)).toEqual({ ours: [], others: [] });
});
