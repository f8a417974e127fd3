import { setOutput } from "@actions/core";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import { requireCheckout, requireFreeBranch } from "../checks/checkout.ts";
import { requireAutoCommit, skipReason } from "../checks/checks.ts";
import { requireKeys, requirePlannerKey } from "../checks/require-keys.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { planAutopilot, planRun } from "../inputs/plan-run.ts";
import { installProgram } from "../install/install-program.ts";
import { neededPlanner, neededPrograms, withGivenKeys } from "../install/needed-programs.ts";
import type { StepContext } from "../step.ts";

/** Checks inputs and project, and installs missing agent programs; this step has no keys. */
export async function prepareStep(context: StepContext): Promise<number> {
  const { system, inputs } = context;
  requireToken(inputs, system.env);
  if (!callsAgents(inputs) || system.env.RALPH_DECISION === "publish") return 0;
  await requireCheckout(context);
  let path = "";
  for (const program of await programsFor(context)) path += `${await install(context, program)}:`;
  setOutput("path", path);
  return 0;
}

/** Whether this job calls agents. */
const callsAgents = ({ command, mode }: Inputs) =>
  (command === "run" || command === "autopilot") && mode !== "publish";

/** The programs to install; throws on any fault of the project. */
async function programsFor(context: StepContext): Promise<Set<string>> {
  const { inputs, system } = context;
  if (inputs.command === "autopilot") {
    const planned = withGivenKeys(await planAutopilot(context));
    requireAutoCommit(planned.config);
    // A project that is switched off needs no key; the run step reports it.
    const isOff = skipReason(planned.config, { event: system.env.GITHUB_EVENT_NAME, pulls: [] });
    if (isOff !== undefined && !inputs["resume-from"]) return new Set();
    requireKeys(planned.config, planned.system.env);
    requirePlannerKey(planned.config, planned.system.env);
    const agents = await neededPrograms(inputs, planned);
    return new Set([...agents, ...(await neededPlanner(planned))]);
  }
  const plan = await planRun(context);
  if (!inputs["resume-from"] && !system.env.RALPH_DECISION) await requireFreeBranch(plan);
  return new Set(await neededPrograms(inputs, plan));
}

async function install({ system, inputs, print }: StepContext, program: string): Promise<string> {
  const { GITHUB_ACTION_PATH: home = ".", RUNNER_TOOL_CACHE: tools, RUNNER_TEMP } = system.env;
  print.line(`Installing ${program} …`);
  const { folder, version, ms } = await installProgram(system, {
    program,
    pins: `${home}/src/action/programs`,
    // Not the runner's temporary folder if there is another: agents cannot start programs there.
    place: `${tools || RUNNER_TEMP || "/tmp"}/ralph-agents`,
    version: inputs["agent-version"],
  });
  print.line(`Installed ${program} ${version} (${(ms / 1000).toFixed(1)} s).`);
  return folder;
}

/** Fails early without a token that a later step needs; this step only knows whether there is one. */
function requireToken(inputs: Inputs, { RALPH_HAS_TOKEN: hasToken }: Environment): void {
  if (hasToken !== "false") return;
  const consequence = withoutToken(inputs);
  if (consequence === undefined) return;
  throw new RalphError("config", {
    message: `The input github-token is empty: ${consequence} without it.`,
    remedy: "Leave github-token out, so that the job's own token is used.",
  });
}

function withoutToken(inputs: Inputs): string | undefined {
  const { command, mode, "dry-run": dryRun, "resume-from": resumeFrom } = inputs;
  if (command === "claim" || command === "release")
    return "the job cannot claim or release an item";
  const publishes = command === "publish" || mode === "publish";
  if (publishes || (callsAgents(inputs) && mode === "all" && !dryRun))
    return "the job cannot push the branch";
  if (resumeFrom) return "the job cannot download the session to continue";
  return command === "autopilot" ? "the job cannot find out which items are done" : undefined;
}
