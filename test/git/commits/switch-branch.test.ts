import { join } from "node:path";
import { expect, test } from "vitest";
import { switchToBranch } from "../../../src/git/commits/switch-branch.ts";
import { changesSince } from "../../../src/git/worktree/changes.ts";
import { addFiltered, large, settle } from "../../support/project/filtered.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

function addCommit(project: GitProject, text: string): string {
  project.write("a.txt", text);
  project.git("commit", "-qam", text);
  return project.git("rev-parse", "HEAD");
}

test("a new branch starts at HEAD, and the user is on it", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  const at = await switchToBranch(repo, "ralph/new");
  expect(at).toEqual({ branch: "ralph/new", commit: project.git("rev-parse", "main") });
  expect(project.git("branch", "--show-current")).toBe("ralph/new");
  expect(project.git("status", "--porcelain")).toBe("");
  expect(await changesSince(repo, at)).toMatchObject({ changes: [], headMoved: false });
});

test("the branch we are on already is no move", async () => {
  await using project = await createGitProject();
  const at = await switchToBranch(await project.open(), "main");
  expect(at.commit).toBe(project.git("rev-parse", "HEAD"));
});

test("an existing branch that holds HEAD is checked out with its files", async () => {
  await using project = await createGitProject();
  project.git("switch", "-q", "-c", "ralph/x");
  const tip = addCommit(project, "ahead\n");
  project.git("switch", "-q", "main");
  const repo = await project.open();
  const at = await switchToBranch(repo, "ralph/x");
  expect(at.commit).toBe(tip);
  expect(project.read("a.txt")).toBe("ahead\n");
  expect(project.git("status", "--porcelain")).toBe("");
  expect((await changesSince(repo, at)).changes).toEqual([]);
});

test("a branch left behind moves up to HEAD", async () => {
  await using project = await createGitProject();
  project.git("branch", "ralph/x");
  const head = addCommit(project, "main moved\n");
  const at = await switchToBranch(await project.open(), "ralph/x");
  expect(at.commit).toBe(head);
  expect(project.git("rev-parse", "ralph/x")).toBe(head);
});

test("a branch with a history of its own is refused, and nothing moves", async () => {
  await using project = await createGitProject();
  project.git("switch", "-q", "-c", "ralph/x");
  const tip = addCommit(project, "theirs\n");
  project.git("switch", "-q", "main");
  addCommit(project, "ours\n");
  await expect(switchToBranch(await project.open(), "ralph/x")).rejects.toMatchObject({
    exitCode: 14,
    remedy: expect.stringContaining("git switch ralph/x"),
  });
  expect(project.git("rev-parse", "ralph/x")).toBe(tip);
  expect(project.git("branch", "--show-current")).toBe("main");
});

test("an untracked file in the way stops before anything is touched", async () => {
  await using project = await createGitProject();
  project.git("switch", "-q", "-c", "ralph/x");
  project.write("new.txt", "theirs");
  project.git("add", "new.txt");
  project.git("commit", "-qm", "new");
  project.git("switch", "-q", "main");
  project.write("new.txt", "mine");
  await expect(switchToBranch(await project.open(), "ralph/x")).rejects.toMatchObject({
    exitCode: 14,
    message: expect.stringContaining("new.txt"),
  });
  expect(project.read("new.txt")).toBe("mine");
  expect(project.git("branch", "--show-current")).toBe("main");
});

test("a branch another work tree has checked out is refused", async () => {
  await using project = await createGitProject();
  project.git("worktree", "add", "-q", "-b", "ralph/x", join(project.folder, "other"));
  await expect(switchToBranch(await project.open(), "ralph/x")).rejects.toMatchObject({
    exitCode: 14,
    message: expect.stringContaining("another work tree"),
  });
});

test("an invalid name is refused (T42)", async () => {
  await using project = await createGitProject();
  const repo = await project.open();
  for (const name of ["-x", "a..b", "refs/heads/x", "a@{0}"]) {
    await expect(switchToBranch(repo, name)).rejects.toMatchObject({ exitCode: 14 });
  }
});

test("a branch with another file behind a filter is for the user's git to check out", async () => {
  await using project = await createGitProject();
  addFiltered(project);
  project.git("switch", "-q", "-c", "ralph/x");
  project.write("big.bin", `more ${large}`);
  project.git("commit", "-qam", "more");
  project.git("switch", "-q", "main");
  settle(project);
  const repo = await project.open();
  await expect(switchToBranch(repo, "ralph/x")).rejects.toMatchObject({
    reason: "git",
    message: "The branch ralph/x has another big.bin, which is behind a filter such as git-lfs.",
    remedy: "Run `git switch ralph/x`, then run again.",
  });
  expect(project.read("big.bin")).toBe(large);
  expect(project.git("branch", "--show-current")).toBe("main");
});
