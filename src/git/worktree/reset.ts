import type { Repository } from "../repository/repository.ts";
import { askGit, runGit } from "../repository/run-git.ts";
import { maxUntrackedBytes } from "./changes.ts";
import { removeUntracked } from "./restore.ts";
import { readStatus } from "./status.ts";

/** Resets work tree and private index to `tree`. Ignored files and untracked ones too large to keep stay. */
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

/** The same for a work tree known to be exactly `from`: only differing files are written, unless git objects. */
export async function advanceTo(
  repo: Repository,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const { exitCode } = await askGit(repo, ["read-tree", "-m", "-u", from, to]);
  if (exitCode !== 0) await resetTo(repo, to);
}
