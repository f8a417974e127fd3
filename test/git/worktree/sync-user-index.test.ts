import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commitWork } from "../../../src/git/commits/commit.ts";
import { readStartPoint } from "../../../src/git/commits/start-point.ts";
import { stageChanges } from "../../../src/git/worktree/stage.ts";
import { syncUserIndex } from "../../../src/git/worktree/sync-user-index.ts";
import { createGitProject, type GitProject } from "../../support/project/git.ts";

async function commitOurs(project: GitProject) {
  const repo = await project.open();
  const start = await readStartPoint(repo);
  project.write("new.txt", "new");
  const changes = [{ path: "new.txt", kind: "added" as const }];
  const tree = await stageChanges(repo, { tree: start.tree, changes });
  await commitWork(repo, {
    branch: start.branch,
    tree,
    parent: start.commit,
    paths: [],
    message: "work\n",
    date: "2026-01-25T14:30:52.123Z",
  });
  return repo;
}

test("after a commit of ralph the user's status is clean, also when repeated", async () => {
  await using project = await createGitProject();
  const repo = await commitOurs(project);
  expect(project.git("status", "--porcelain")).not.toBe("");
  expect(await syncUserIndex(repo)).toEqual({ kind: "synced" });
  expect(await syncUserIndex(repo)).toEqual({ kind: "synced" });
  // Before anything else refreshes the index: the user's next `git status` need not read every file.
  expect(project.git("diff-files", "--name-only")).toBe("");
  expect(project.git("status", "--porcelain")).toBe("");
});

test("an edit of the same length right after it is seen", async () => {
  await using project = await createGitProject();
  const repo = await commitOurs(project);
  for (const content of ["one", "two", "six", "ten"]) {
    project.write("new.txt", content);
    await syncUserIndex(repo);
    expect(project.git("status", "--porcelain")).toBe("M new.txt");
  }
});

test("what an agent staged, or left unmerged, is gone", async () => {
  await using project = await createGitProject();
  const blob = project.git("rev-parse", "HEAD:a.txt");
  const repo = await commitOurs(project);
  project.git("rm", "-q", "--cached", "a.txt");
  const input = `100644 ${blob} 1\tx\n100644 ${blob} 2\tx\n`;
  execFileSync("git", ["update-index", "--index-info"], { cwd: project.root, input });
  await syncUserIndex(repo);
  expect(project.git("status", "--porcelain")).toBe("");
});

test("a lock that goes away is waited for; one that stays is named", async () => {
  await using project = await createGitProject();
  const repo = await commitOurs(project);
  const lock = join(project.root, ".git/index.lock");
  writeFileSync(lock, "");
  const sleeps: number[] = [];
  const sleep = async (ms: number) => void sleeps.push(ms);
  const waiting = { ...repo, system: { ...repo.system, clock: { ...repo.system.clock, sleep } } };
  expect(await syncUserIndex(waiting)).toEqual({ kind: "locked", lock: ".git/index.lock" });
  expect(sleeps.length).toBeGreaterThan(1);
  const release = async () => rmSync(lock);
  const released = {
    ...repo,
    system: { ...repo.system, clock: { ...repo.system.clock, sleep: release } },
  };
  expect(await syncUserIndex(released)).toEqual({ kind: "synced" });
});
