import { RalphError } from "../../error.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Git } from "../../schema/config/publishing.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { branchName } from "./prepare-branch.ts";

type BranchPlace = { root: string; git: Git };

/** Checks that a new session works on another branch than the base branch (exit 2), and that the latter exists (exit 14). */
export async function requireBranches(
  system: Pick<System, "ask" | "env">,
  { root, config, prd }: { root: string; config: Config; prd: Prd },
): Promise<void> {
  requireOwnBranch(config, prd);
  await requireBase(system, { root, git: config.git });
}

/** Refuses a task list whose work would be committed to the base branch (exit 2). */
export function requireOwnBranch(config: Config, prd: Prd): void {
  const branch = branchName(config, prd);
  if (branch !== config.git.base_branch) return;
  throw new RalphError("source", {
    message: `The work would be committed to ${branch}, which is the base branch (\`git.base_branch\`).`,
    remedy: "Give the task list another `branchName`, for example `ralph/add-login`.",
  });
}

/** Requires the base branch here or, as last fetched, at the remote (exit 14). A repository without a commit passes. */
export async function requireBase(system: Pick<System, "ask" | "env">, { root, git }: BranchPlace) {
  if (await hasBase(system, { root, git })) return;
  throw missingBase(git);
}

async function hasBase(
  { ask, env }: Pick<System, "ask" | "env">,
  { root, git: { base_branch, remote } }: BranchPlace,
): Promise<boolean> {
  const refs = [`refs/heads/${base_branch}`, `refs/remotes/${remote}/${base_branch}`];
  for (const ref of [...refs, "HEAD"]) {
    const args = ["rev-parse", "--verify", "--quiet", `${ref}^{commit}`];
    const { exitCode } = await ask({ file: "git", args, cwd: root, env: userEnvironment(env) });
    if (exitCode === 0) return ref !== "HEAD";
  }
  return true;
}

/** The error for a base branch that does not exist. */
export function missingBase({ base_branch, remote }: Git): RalphError {
  return new RalphError("git", {
    message: `There is no branch ${base_branch}, which \`git.base_branch\` names.`,
    remedy: `Fetch it with \`git fetch ${remote} ${base_branch}:${base_branch}\`, or correct \`git.base_branch\`.`,
  });
}
