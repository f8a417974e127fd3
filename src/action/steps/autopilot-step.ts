import { readAutopilotRuns } from "../../autopilot/run/autopilot-run.ts";
import { finalizeRun } from "../../autopilot/run/finalize-run.ts";
import { runAutopilot } from "../../autopilot/run/run-autopilot.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { LocatedProject } from "../../session/open/locate-project.ts";
import { removeCheckoutToken } from "../checks/checkout-credentials.ts";
import { skipReason } from "../checks/checks.ts";
import { requireKeys, requirePlannerKey } from "../checks/require-keys.ts";
import { withIdentity } from "../inputs/bot-identity.ts";
import { type GitHubFacts, readGitHubFacts } from "../inputs/github-facts.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { directoryOf, sessionSystem } from "../inputs/request.ts";
import { readSteering, withBudgetCommand } from "../inputs/steering-comments.ts";
import { endAutopilot, endQuietly, factsOf } from "../job/autopilot-end.ts";
import { type AutopilotSetup, autopilotRequest, openAutopilotJob } from "../job/autopilot-job.ts";
import { writeOutputs } from "../job/outputs.ts";
import { planAutopilot } from "../job/plan-autopilot.ts";
import type { StepContext } from "../step.ts";

/** Works from a report or an issue to a finished session; a later step, which has the token, publishes it. */
export async function autopilotStep(given: StepContext): Promise<number> {
  const steering = await readSteering(given.system, given.inputs);
  const context = withBudgetCommand(given, steering);
  const { inputs } = context;
  const directory = directoryOf(inputs, context.system.env);
  await removeCheckoutToken(context, directory);
  const system = await withIdentity(sessionSystem(context.system, context), directory);
  const { config } = await planAutopilot(context);
  const facts = await readGitHubFacts(system);
  const isNew = inputs["resume-from"] === undefined;
  // A run that only pushes a branch does not wait for a review.
  const pulls = inputs["create-pr"] ? facts.pulls : [];
  const event = system.env.GITHUB_EVENT_NAME;
  const text = isNew ? skipReason(config, { event, pulls }) : undefined;
  if (text !== undefined) return endQuietly(context, { reason: "nothing_to_do", text });
  requireKeys(config, system.env);
  requirePlannerKey(config, system.env);
  return work(context, { system, directory, facts, steering });
}

async function work(context: StepContext, setup: AutopilotSetup): Promise<number> {
  const { deps, session } = await openAutopilotJob(context, setup);
  const { place } = deps;
  try {
    const request = await autopilotRequest(context.inputs, setup);
    const outcome = await runAutopilot(deps, request);
    return await endAutopilot(context, outcome, { place, session: session() });
  } catch (error) {
    if (isQuiet(error, context.inputs, setup.facts)) {
      return endQuietly(context, { reason: error.reason, text: error.message });
    }
    await keepRun(context, { system: setup.system, place });
    throw error;
  }
}

/** Without a named report or issue, having nothing to work on is no failure. */
const isQuiet = (error: unknown, inputs: Inputs, { request }: GitHubFacts): error is RalphError =>
  error instanceof RalphError &&
  error.reason === "no_report" &&
  inputs.report === undefined &&
  request?.command !== "run";

/** Keeps the results of a failed run, so that another one can continue it. */
async function keepRun(
  { print }: StepContext,
  { system, place }: { system: System; place: LocatedProject },
): Promise<void> {
  const last = (await readAutopilotRuns(place.store)).at(-1);
  if (!last || last.completed) return;
  const sealed = await finalizeRun(system, place, last.run_id);
  writeOutputs({ ...factsOf(last), ...(sealed && { bundle: sealed.folder }) });
  print.line(`To continue it, start the workflow with resume-from: ${system.env.GITHUB_RUN_ID}.`);
}
