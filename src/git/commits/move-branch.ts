import { RalphError } from "../../error.ts";
import type { BranchPosition, Repository } from "../repository/repository.ts";
import { askGit, gitFailed } from "../repository/run-git.ts";
import { writeUserHead } from "../repository/user-head.ts";

/** `refused`: the branch is at `tip` (undefined: it does not exist), not at the expected commit. */
type MoveResult = { kind: "moved" } | { kind: "refused"; tip: string | undefined };

/** `from` undefined: the branch must not exist yet. */
type BranchMove = { branch: string; from: string | undefined; to: string };

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
  const args = ["rev-parse", "--verify", "--quiet", branchRef(branch)];
  const { exitCode, stdout } = await askGit(repo, args);
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

/** Undoes an agent's changes to branch and HEAD; its own commits become part of the task (design 4). */
export async function restoreHead(repo: Repository, at: BranchPosition): Promise<void> {
  const from = await readBranch(repo, at.branch);
  if (from !== at.commit) {
    const result = await moveBranch(repo, { branch: at.branch, from, to: at.commit });
    if (result.kind === "refused") {
      throw new RalphError("git", {
        message: `Something else moves the branch ${at.branch} while this session works on it.`,
        remedy: "Stop the other program, then continue with `ralph run --resume`.",
      });
    }
  }
  await writeUserHead(repo, at.branch);
}
