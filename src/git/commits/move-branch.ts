import type { Repository } from "../repository/repository.ts";
import { askGit, gitFailed } from "../repository/run-git.ts";

/** `refused`: the branch is at `tip` (undefined: it does not exist), not at the expected commit. */
export type MoveResult = { kind: "moved" } | { kind: "refused"; tip: string | undefined };

/** `from` undefined: the branch must not exist yet. */
export type BranchMove = { branch: string; from: string | undefined; to: string };

export const branchRef = (branch: string) => `refs/heads/${branch}`;

/** Moves a branch by compare-and-swap, without hooks. Repeating a completed move answers `moved` (F53). */
export async function moveBranch(repo: Repository, move: BranchMove): Promise<MoveResult> {
  const ref = branchRef(move.branch);
  const from = move.from ?? "0".repeat(move.to.length);
  // Not through a symbolic ref: an agent could have pointed it at another branch.
  const args = ["update-ref", "--no-deref", "-m", "ralph", ref, move.to, from];
  const answer = await askGit(repo, args);
  if (answer.exitCode === 0) return { kind: "moved" };
  const tip = await readBranch(repo, move.branch);
  if (tip === move.to) return { kind: "moved" };
  if (tip === move.from) throw gitFailed(args, answer);
  return { kind: "refused", tip };
}

/** The commit of a branch, or undefined when there is no such branch. */
export async function readBranch(repo: Repository, branch: string): Promise<string | undefined> {
  const { exitCode, stdout } = await askGit(repo, [
    "rev-parse",
    "--verify",
    "--quiet",
    branchRef(branch),
  ]);
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}
