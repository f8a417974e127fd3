import type { BranchChoice, PlannedSession } from "../../entry/run-project.ts";
import { RalphError } from "../../error.ts";
import { readUserConfig } from "../../git/open/open-repository.ts";
import { userEnvironment } from "../../git/repository/environment.ts";
import { requireLocalToken } from "../../github/api/local-token.ts";
import { parseRemoteUrl } from "../../github/api/remote-url.ts";
import { countBranches } from "../../github/branches/count-branches.ts";
import { decideWork, type NamedBranch } from "../../github/branches/decide-work.ts";
import { branchName } from "../../session/open/prepare-branch.ts";
import type { CommandContext } from "../core/command.ts";

type Context = Pick<CommandContext, "system" | "directory" | "output">;

/**
 * The decision of a job about earlier pull requests of the task list, for a session that starts on the base branch:
 * waits for an open one, takes the next name after one that was merged or closed, refuses someone else's. Undefined
 * where GitHub cannot be asked: without a remote there, without a token, without a network.
 */
export async function chooseBranch(
  context: Context,
  plan: PlannedSession,
): Promise<BranchChoice | undefined> {
  const github = await openGitHub(context, plan);
  if (!github) return undefined;
  const { config, project } = plan;
  try {
    const { used, free } = await countBranches(github, branchName(config, project.prd));
    const decision = decideWork({
      ...{ hasOpenTasks: true, free, head: "", isByHand: true, maxContinuations: 0 },
      used: await Promise.all(used.map((branch) => withHistory(context, project.root, branch))),
      wantsPull: config.pr.enabled,
      now: context.system.clock.now(),
    });
    if (decision.kind === "refuse") throw new RalphError("git", decision);
    if (decision.kind === "run") return decision;
    if (decision.kind !== "quiet") return undefined;
    return { kind: "waits", message: `${decision.message}\n${howToAdd(used)}` };
  } catch (error) {
    if (!(error instanceof RalphError) || error.cause === undefined) throw error;
    context.output.problem(`Warning: earlier pull requests are not known: ${error.message}`);
    return undefined;
  }
}

/** Work on the branch itself adds to its pull request. */
function howToAdd(used: readonly NamedBranch[]): string {
  const name = used.find(({ pull }) => pull?.state === "open")?.name ?? used.at(-1)?.name;
  return `To add to it, run on its branch: \`git switch ${name}\`.`;
}

async function openGitHub({ system, directory }: Context, { config, project }: PlannedSession) {
  const settings = await readUserConfig(system, project.root);
  const { hosted } = parseRemoteUrl(settings.get(`remote.${config.git.remote}.url`) ?? "") ?? {};
  if (!hosted) return undefined;
  try {
    const token = await requireLocalToken(system, { host: hosted.host, directory });
    // Slow to load, and often not needed.
    const { createGitHub } = await import("../../github/api/create-github.ts");
    return createGitHub({ ...hosted, token });
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}

/** Whether a session adds to the branch: the last commit on GitHub is in this checkout, or in the branch of that name. */
async function withHistory({ system }: Context, cwd: string, branch: NamedBranch) {
  const { name, tip } = branch;
  if (tip === undefined) return branch;
  for (const revision of ["HEAD", `refs/heads/${name}`]) {
    const args = ["merge-base", "--is-ancestor", tip, revision];
    const env = userEnvironment(system.env);
    const { exitCode } = await system.ask({ file: "git", args, cwd, env });
    if (exitCode === 0) return { ...branch, isInHistory: true };
  }
  return branch;
}
