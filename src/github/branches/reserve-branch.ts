import { RalphError } from "../../error.ts";
import type { GitHub } from "../api/create-github.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { withBranchRule } from "./branch-rules.ts";

/**
 * Creates a branch at the commit a session starts from, before anything is spent. A token that may not write shows here
 * (exit 14) and not after hours; and GitHub compares the workflow files of later pushes with this commit, whatever
 * happens to the base branch meanwhile. An existing branch is left alone.
 */
export async function reserveBranch(
  github: GitHub,
  { branch, commit }: { branch: string; commit: string },
): Promise<void> {
  try {
    const purpose = {
      act: `create the branch ${branch}`,
      permission: "contents: write",
      reason: "git",
    } as const;
    const ref = { ...github.repo, ref: `refs/heads/${branch}`, sha: commit };
    await github.ask(purpose, ({ rest }) => rest.git.createRef(ref));
  } catch (error) {
    // It exists already, or the commit was made in this job.
    const isHarmless =
      error instanceof RalphError &&
      httpStatusOf(error) === 422 &&
      /already exists|object does not exist/i.test(error.message);
    if (!isHarmless) throw withBranchRule(error, branch);
  }
}
