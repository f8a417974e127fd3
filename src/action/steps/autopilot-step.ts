import { readAutopilotRuns } from "../../autopilot/run/autopilot-run.ts";
import { finalizeRun } from "../../autopilot/run/finalize-run.ts";
import { runAutopilot } from "../../autopilot/run/run-autopilot.ts";
import { RalphError } from "../../error.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { skipReason } from "../checks/checks.ts";
import { requireKeys, requirePlannerKey } from "../checks/require-keys.ts";
import { planAutopilot } from "../inputs/plan-run.ts";
import { readHandoff } from "../inputs/step-handoff.ts";
import { endAutopilot, endQuietly, factsOf } from "../job/autopilot-end.ts";
import { type AutopilotWork, autopilotRequest, openAutopilotJob } from "../job/autopilot-job.ts";
import { openWork } from "../job/open-work.ts";
import { writeOutputs } from "../job/outputs.ts";
import type { StepContext } from "../step.ts";

/** Works from a report or an issue to a finished session; a later step, which has the token, publishes it. */
export async function autopilotStep(given: StepContext): Promise<number> {
  const work = await openWork(given);
  const { context, system } = work;
  const { config } = await planAutopilot(context);
  const facts = await readHandoff(system, "facts.json");
  const isNew = context.inputs["resume-from"] === undefined;
  // A run that only pushes a branch does not wait for a review.
  const pulls = context.inputs["create-pr"] ? facts.pulls : [];
  const event = system.env.GITHUB_EVENT_NAME;
  const text = isNew ? skipReason(config, { event, pulls }) : undefined;
  if (text !== undefined) return endQuietly(context, { reason: "nothing_to_do", text });
  requireKeys(config, system.env);
  requirePlannerKey(config, system.env);
  return run({ ...work, facts });
}

async function run(work: AutopilotWork): Promise<number> {
  const { context } = work;
  const { deps, ended } = await openAutopilotJob(work);
  const { place } = deps;
  try {
    const outcome = await runAutopilot(deps, await autopilotRequest(work));
    return await endAutopilot(context, outcome, { place, session: ended()?.session });
  } catch (error) {
    if (isQuiet(error, work)) {
      return endQuietly(context, { reason: error.reason, text: error.message });
    }
    await keepRun(work, place);
    throw error;
  }
}

/** Without a named report or issue, having nothing to work on is no failure. */
const isQuiet = (error: unknown, { context, facts }: AutopilotWork): error is RalphError =>
  error instanceof RalphError &&
  error.reason === "no_report" &&
  context.inputs.report === undefined &&
  facts.request?.command !== "run";

/** Keeps the results of a failed run, so that another one can continue it. */
async function keepRun({ context, system }: AutopilotWork, place: LocatedProject): Promise<void> {
  const last = (await readAutopilotRuns(place.store)).at(-1);
  if (!last || last.completed) return;
  const sealed = await finalizeRun(system, place, last.run_id);
  writeOutputs({ ...factsOf(last), ...(sealed && { bundle: sealed.folder }) });
  const runId = system.env.GITHUB_RUN_ID;
  context.print.line(`To continue it, start the workflow with resume-from: ${runId}.`);
}
