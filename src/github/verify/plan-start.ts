import { RalphError } from "../../error.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { isObjectId } from "../../git/trees/objects.ts";
import { type AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import { checkPlan } from "../../session/bundle/plan-commits.ts";
import { documentPaths } from "../../session/loop/bookkeeping.ts";
import { takePack } from "./audit-bundle.ts";
import { requireConfig, requireHistory, type Trust, type TrustedStart } from "./trusted-start.ts";

/**
 * The same as `readTrustedStart` for an autopilot run, whose own commits no checkout knows: its base commit is what must be
 * in trusted history, and the commits from there to the session's first are held against that commit's rules.
 */
export async function readPlanStart(
  repo: Repository,
  { plan, bundle }: { plan: AutopilotPlan; bundle: string },
  trust: Trust,
): Promise<TrustedStart> {
  const { base, branch = "", task_path: tasks } = plan;
  await requireHistory(repo, base, trust.revisions);
  const config = await requireConfig(repo, base, trust);
  requireBranch(branch, trust);
  const head = planHead(plan);
  if (head !== undefined && isObjectId(head)) await takePack(repo, { head }, bundle);
  const checked = await checkPlan(repo, { plan, config, named: trust.branch });
  const own = documentPaths(config, tasks);
  return { commit: base, config, own, branch, plan: checked };
}

function requireBranch(branch: string, { branch: named = branch }: Trust): void {
  if (named === branch) return;
  throw new RalphError("git", {
    message: `The autopilot run worked on the branch ${JSON.stringify(branch)}, and ${named} was expected.`,
    remedy: "Name the branch by the input `branch` when it is the one you want.",
  });
}
