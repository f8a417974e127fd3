import { setOutput } from "@actions/core";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import { requireAutoCommit } from "../checks/require-auto-commit.ts";
import { requireCheckout } from "../checks/require-checkout.ts";
import { requireFreeBranch } from "../checks/require-free-branch.ts";
import { requireKeys } from "../checks/require-keys.ts";
import { requirePlannerKey } from "../checks/require-planner-key.ts";
import { skipReason } from "../checks/skip-reason.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { planRun } from "../inputs/plan-run.ts";
import { installProgram } from "../install/install-program.ts";
import { neededPrograms } from "../install/needed-programs.ts";
import { neededPlanner, planAutopilot, withGivenKeys } from "../job/plan-autopilot.ts";
import type { StepContext } from "../step.ts";

/** Before any key is in reach: checks inputs and project, and installs the agent programs that are not there. */
export async function prepareStep(context: StepContext): Promise<number> {
  const { system, inputs } = context;
  requireToken(inputs, system.env);
  if (!callsAgents(inputs)) return 0;
  await requireCheckout(context);
  const folders: string[] = [];
  for (const program of await programsFor(context)) {
    folders.push(await install(context, program));
  }
  setOutput("path", folders.map((folder) => `${folder}:`).join(""));
  return 0;
}

/** Whether agents are called in this job. */
const callsAgents = ({ command, mode }: Inputs) =>
  (command === "run" || command === "autopilot") && mode !== "publish";

/** The programs to install for what is asked; what is wrong with the project is thrown. */
async function programsFor(context: StepContext): Promise<Set<string>> {
  const { inputs, system } = context;
  if (inputs.command === "autopilot") {
    const planned = withGivenKeys(await planAutopilot(context));
    requireAutoCommit(planned.config);
    // A project that is switched off needs no key to say so; the run step does.
    const isOff = skipReason(planned.config, { event: system.env.GITHUB_EVENT_NAME, pulls: [] });
    if (isOff !== undefined && !inputs["resume-from"]) return new Set();
    requireKeys(planned.config, planned.system.env);
    requirePlannerKey(planned.config, planned.system.env);
    const agents = await neededPrograms(inputs, planned);
    return new Set([...agents, ...(await neededPlanner(planned))]);
  }
  const plan = await planRun(context);
  if (!inputs["resume-from"]) await requireFreeBranch(plan);
  return new Set(await neededPrograms(inputs, { ...plan, root: plan.project.root }));
}

async function install({ system, inputs, print }: StepContext, program: string): Promise<string> {
  const { GITHUB_ACTION_PATH: home = "." } = system.env;
  print.line(`Installing ${program} …`);
  const { folder, version, ms } = await installProgram(system, {
    program,
    pins: `${home}/src/action/programs`,
    place: placeOf(system.env),
    version: inputs["agent-version"],
  });
  print.line(`${program} ${version} is installed (${(ms / 1000).toFixed(1)} s).`);
  return folder;
}

/** Where the runner keeps tools: its temporary folder is out of an agent's sight, also for starting a program. */
function placeOf({ RUNNER_TOOL_CACHE: tools, RUNNER_TEMP: temporary }: Environment): string {
  return `${tools || temporary || "/tmp"}/ralph-agents`;
}

/** This step is told only whether there is a token; one that is missing at the push would come to light too late. */
function requireToken(inputs: Inputs, { RALPH_HAS_TOKEN: hasToken }: Environment): void {
  if (hasToken !== "false") return;
  const why = tokenPurpose(inputs);
  if (why === undefined) return;
  throw new RalphError("config", {
    message: `The input github-token is empty, and ${why} without it.`,
    remedy: "Leave github-token out, so that it is the job's own token.",
  });
}

function tokenPurpose(inputs: Inputs): string | undefined {
  const { command, mode, "dry-run": dryRun, "resume-from": resumeFrom } = inputs;
  if (command === "claim" || command === "release") return "nothing can be claimed or released";
  const publishes = command === "publish" || mode === "publish";
  if (publishes || (callsAgents(inputs) && mode === "all" && !dryRun))
    return "the branch could not be pushed";
  if (resumeFrom) return "the session to continue cannot be fetched";
  return command === "autopilot" ? "nobody can say what was worked on before" : undefined;
}
