import { RalphError } from "../../error.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { locateRepository } from "../../git/repository/locate-repository.ts";
import { readUserBranch } from "../../git/repository/user-head.ts";
import type { System } from "../../platform/system.ts";
import { branchName } from "../../session/open/prepare-branch.ts";
import { defaultBranch } from "../inputs/default-branch.ts";
import type { PlannedRun } from "../inputs/plan-run.ts";

/**
 * A branch this job could not push at its end is told before anything is spent: the repository's own default
 * branch, and one that has commits on GitHub which this checkout does not have. What was not fetched is not seen.
 */
export async function requireFreeBranch({ system, project, config }: PlannedRun): Promise<void> {
  const { gitDir } = await locateRepository(system, project.root);
  const current = await readUserBranch(system.files(gitDir));
  const isBase = current === undefined || current === config.git.base_branch;
  const branch = isBase ? branchName(config, project.prd) : current;
  if (branch === (await defaultBranch(system))) throw isDefault(branch);
  if (await isAhead(system, project.root, branch)) throw isTaken(branch);
}

async function isAhead(system: Pick<System, "ask" | "env">, cwd: string, branch: string) {
  const ask = (...args: string[]) =>
    system.ask({ file: "git", args, cwd, env: userEnvironment(system.env) });
  const ref = `refs/remotes/origin/${branch}`;
  if ((await ask("rev-parse", "--verify", "--quiet", ref)).exitCode !== 0) return false;
  return (await ask("merge-base", "--is-ancestor", ref, "HEAD")).exitCode === 1;
}

const isDefault = (branch: string) =>
  new RalphError("git", {
    message: `The tasks would be worked on in ${branch}, the repository's default branch, to which nothing is pushed.`,
    remedy: `Set \`git.base_branch: ${branch}\` in .ralph/ralph.yml and another \`branchName\` in the task list.`,
  });

const isTaken = (branch: string) =>
  new RalphError("git", {
    message: `The branch ${branch} is on GitHub already, with commits this checkout does not have: what a new run makes could not be pushed there.`,
    remedy: `Go on with the session that made them by \`resume-from\`, check the branch out (\`ref: ${branch}\`), or delete it when it is merged.`,
  });
