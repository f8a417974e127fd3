import { RalphError } from "../../error.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import type { System } from "../../platform/system.ts";
import { branchName } from "../../session/open/prepare-branch.ts";
import { defaultBranch } from "../inputs/event-payload.ts";
import type { PlannedRun } from "../inputs/plan-run.ts";
import { directoryOf } from "../inputs/request.ts";
import type { StepContext } from "../step.ts";

type Context = Pick<StepContext, "system" | "inputs">;

/** The job needs a checkout on a branch, with the project's folder in it; checked before the configuration is read. */
export async function requireCheckout({ system, inputs }: Context): Promise<void> {
  const directory = directoryOf(inputs, system.env);
  const { GITHUB_WORKSPACE: workspace = directory, GITHUB_EVENT_NAME: event = "" } = system.env;
  if (!(await system.files(workspace).stat(".git"))) {
    throw new RalphError("git", {
      message: "Nothing is checked out: the workspace is not a git repository.",
      remedy: "Add a step with actions/checkout and `fetch-depth: 0` before this one.",
    });
  }
  await requireFolders({ system, inputs }, workspace);
  const { gitDir } = await locateRepository(system, directory);
  if ((await readUserBranch(system.files(gitDir))) !== undefined) return;
  throw new RalphError("git", {
    message: "The checkout is at a commit and not on a branch: there is no branch to commit to.",
    remedy: event.startsWith("pull_request")
      ? `Give actions/checkout \`ref: \${{ github.head_ref }}\`, so that it checks out the pull request's branch.`
      : "Give actions/checkout the name of a branch as `ref:`.",
  });
}

/** Checked folder by folder: a link could lead out of the checkout. */
async function requireFolders({ system, inputs }: Context, workspace: string): Promise<void> {
  const parts = directoryOf(inputs, system.env).slice(workspace.length).split("/").filter(Boolean);
  const files = system.files(workspace);
  for (const [index] of parts.entries()) {
    const path = parts.slice(0, index + 1).join("/");
    if ((await files.stat(path))?.kind === "folder") continue;
    throw new RalphError("config", {
      message: `Input working-directory: there is no folder "${path}" in the checkout.`,
      remedy: "Give the path of a folder, relative to the repository's root.",
    });
  }
}

/** The branch a run commits to: the checked-out one, or from the base branch the one the task list names. */
export async function findWorkBranch({
  system,
  root,
  project,
  config,
}: PlannedRun): Promise<{ branch: string; isNew: boolean }> {
  const { gitDir } = await locateRepository(system, root);
  const current = await readUserBranch(system.files(gitDir));
  if (current !== undefined && current !== config.git.base_branch)
    return { branch: current, isNew: false };
  const branch = branchName(config, project.prd);
  if (branch === (await defaultBranch(system))) throw isDefault(branch);
  return { branch, isNew: true };
}

/**
 * Rejects a branch this job could not push at its end, before anything is spent: the repository's default branch, and a
 * branch with commits on GitHub that this checkout lacks. Only fetched commits are compared.
 */
export async function requireFreeBranch(plan: PlannedRun): Promise<void> {
  const { branch } = await findWorkBranch(plan);
  if (branch === (await defaultBranch(plan.system))) throw isDefault(branch);
  if (!(await isAhead(plan, branch))) return;
  throw new RalphError("git", {
    message: `The branch ${branch} has commits on GitHub that this checkout lacks, so a new run could not push to it.`,
    remedy: `Continue the session that made them with \`resume-from\`, check the branch out (\`ref: ${branch}\`), or delete it if it is merged.`,
  });
}

async function isAhead({ system, root }: PlannedRun, branch: string): Promise<boolean> {
  const git = gitIn(system, root);
  const ref = `refs/remotes/origin/${branch}`;
  if ((await git("rev-parse", "--verify", "--quiet", ref)).exitCode !== 0) return false;
  return (await git("merge-base", "--is-ancestor", ref, "HEAD")).exitCode === 1;
}

/** The user's git in a folder, with the user's settings. */
export const gitIn =
  ({ ask, env }: Pick<System, "ask" | "env">, cwd: string) =>
  (...args: string[]) =>
    ask({ file: "git", args, cwd, env: userEnvironment(env) });

const isDefault = (branch: string) =>
  new RalphError("git", {
    message: `The run would commit to ${branch}, the repository's default branch, and ralph never pushes there.`,
    remedy: `Set \`git.base_branch: ${branch}\` in .ralph/ralph.yml and another \`branchName\` in the task list.`,
  });
