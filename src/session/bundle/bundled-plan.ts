import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { AutopilotPlan, planHead } from "../../schema/autopilot/plan.ts";

/** What an autopilot run has so far: in its own folder of the store, and in every bundle of its session. */
export const planFile = "autopilot.json";
export const maxPlanBytes = 16 * 1024 * 1024;

/** The plan of the autopilot run a bundle belongs to. It is the bundle's own word: `checkPlan` says what of it holds. */
export async function readBundledPlan(files: ReadFiles): Promise<AutopilotPlan | undefined> {
  const bytes = await files.read(planFile, { maxBytes: maxPlanBytes });
  if (bytes === undefined) return undefined;
  const plan = parsePlan(bytes.toString("utf8"));
  if (plan) return plan;
  throw new RalphError("source", {
    message: `${files.root}/${planFile} is not what an autopilot run of ours writes.`,
    remedy: "Give the folder of a whole session artifact.",
  });
}

/** The plan a session starts from; a session that came later on the same branch has none. */
export async function bundledPlanOf(
  files: ReadFiles,
  { session: { start, branch } }: SessionState,
): Promise<AutopilotPlan | undefined> {
  const plan = await readBundledPlan(files);
  if (!plan) return undefined;
  const isOwn = planHead(plan) === start.commit && plan.branch === branch;
  return isOwn ? plan : undefined;
}

function parsePlan(text: string): AutopilotPlan | undefined {
  try {
    return AutopilotPlan.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
