import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";
import { maxUntrackedBytes } from "./changes.ts";
import { removeUntracked } from "./restore.ts";
import { readStatus } from "./status.ts";

/**
 * Makes work tree and private index exactly `tree`. Untracked files go; ignored ones and those too large to be
 * kept anywhere stay. For recovery and the end of a failed task, whose work is in a tree of its own by then.
 */
export async function resetTo(repo: Repository, tree: string): Promise<void> {
  await runGit(repo, ["read-tree", "--reset", "-u", tree]);
  const { records } = await readStatus(repo);
  const untracked = records.filter(({ unstaged }) => unstaged === "?").map(({ path }) => path);
  const files = repo.system.files(repo.worktree);
  const sizes = await Promise.all(
    untracked.map(async (path) => (await files.stat(path))?.bytes ?? 0),
  );
  await removeUntracked(
    repo,
    untracked.filter((_, index) => (sizes[index] ?? 0) <= maxUntrackedBytes),
  );
}

/**
 * The same for a work tree that is known to be exactly `from`: only what differs is touched. Where git finds something in
 * the way, if only a newer date, everything is looked at.
 */
export async function advanceTo(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { exitCode } = await askGit(repo, ["read-tree", "-m", "-u", from, to]);
  if (exitCode !== 0) await resetTo(repo, to);
}
