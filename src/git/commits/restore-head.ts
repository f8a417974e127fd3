import { RalphError } from "../../error.ts";
import type { BranchPosition, Repository } from "../repository/repository.ts";
import { writeUserHead } from "../repository/user-head.ts";
import { moveBranch, readBranch } from "./move-branch.ts";

/**
 * Undoes an agent's changes to branch and HEAD: its own commits become part of the task, because the private index still
 * compares with the journal's head (design 4). The work tree does not change.
 */
export async function restoreHead(repo: Repository, at: BranchPosition): Promise<void> {
  const from = await readBranch(repo, at.branch);
  if (from !== at.commit) {
    const result = await moveBranch(repo, { branch: at.branch, from, to: at.commit });
    if (result.kind === "refused") throw movedAgain(at.branch);
  }
  await writeUserHead(repo, at.branch);
}

function movedAgain(branch: string): RalphError {
  return new RalphError("git", {
    message: `Something else moves the branch ${branch} while this session works on it.`,
    remedy: "Stop the other program, then continue with `ralph run --resume`.",
  });
}
