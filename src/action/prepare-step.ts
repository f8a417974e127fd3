import { setOutput } from "@actions/core";
import { RalphError } from "../error.ts";
import type { Environment } from "../system/system.ts";
import type { Inputs } from "./inputs.ts";
import { installProgram } from "./install-program.ts";
import { neededPrograms } from "./needed-programs.ts";
import { planRun } from "./plan-run.ts";
import { requireCheckout } from "./require-checkout.ts";
import { requireFreeBranch } from "./require-free-branch.ts";
import type { StepContext } from "./step.ts";

/** Before any key is in reach: checks inputs and project, and installs the agent programs that are not there. */
export async function prepareStep(context: StepContext): Promise<number> {
  const { system, inputs } = context;
  requireToken(inputs, system.env);
  if (inputs.command !== "run" || inputs.mode === "publish") return 0;
  await requireCheckout(context);
  const plan = await planRun(context);
  if (!inputs["resume-from"]) await requireFreeBranch(plan);
  const folders: string[] = [];
  for (const program of await neededPrograms(inputs, plan)) {
    folders.push(await install(context, program));
  }
  setOutput("path", folders.map((folder) => `${folder}:`).join(""));
  return 0;
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
  const { command, mode, "dry-run": dryRun, "resume-from": resumeFrom } = inputs;
  const pushes = command === "publish" || (command === "run" && mode !== "run" && !dryRun);
  if (hasToken !== "false" || !(pushes || resumeFrom)) return;
  throw new RalphError("config", {
    message: `The input github-token is empty, and ${pushes ? "the branch could not be pushed" : "the session to continue cannot be fetched"} without it.`,
    remedy: "Leave github-token out, so that it is the job's own token.",
  });
}
