import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";
import { parseJsonAs } from "../../schema/base/parse-json-as.ts";

/** The plan of an autopilot run: in the run's folder of the store, and in every bundle of its session. */
export const planFile = "autopilot.json";
export const maxPlanBytes = 16 * 1024 * 1024;

/** The plan of the autopilot run a bundle belongs to, as the bundle claims it: `checkPlan` verifies it. */
export async function readBundledPlan(files: ReadFiles): Promise<AutopilotPlan | undefined> {
  const bytes = await files.read(planFile, { maxBytes: maxPlanBytes });
  const plan = parseJsonAs(AutopilotPlan, bytes?.toString("utf8"));
  if (plan || bytes === undefined) return plan;
  throw new RalphError("source", {
    message: `${files.root}/${planFile} is not a plan that \`ralph autopilot\` writes.`,
    remedy: "Give the folder of a complete session artifact.",
  });
}

/** The plan a session starts from; a later session on the same branch has none. */
export async function bundledPlanOf(
  files: ReadFiles,
  { session: { start, branch } }: SessionState,
): Promise<AutopilotPlan | undefined> {
  const plan = await readBundledPlan(files);
  if (!plan) return undefined;
  const isOwn = planHead(plan) === start.commit && plan.branch === branch;
  return isOwn ? plan : undefined;
}
