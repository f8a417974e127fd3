import { normalize } from "node:path/posix";
import { driverNamed, drivers, isModelCredential } from "../../agents/drivers/drivers.ts";
import { withEnvironment } from "../../entry/run-options.ts";
import { RalphError } from "../../error.ts";
import type { Environment, System } from "../../platform/system.ts";
import type { RunOptions } from "../../schema/config/run-options.ts";
import type { StepContext } from "../step.ts";
import type { Inputs } from "./inputs.ts";
import { keyInputs, parseKeys } from "./keys.ts";

/** The project's folder, absolute: the checkout or a folder in it (exit 1 for any other). */
export function directoryOf(inputs: Inputs, env: Environment): string {
  const workspace = env.GITHUB_WORKSPACE;
  if (!workspace) {
    throw new RalphError("config", {
      message: "GITHUB_WORKSPACE is not set: this program runs only as a step of GitHub Actions.",
      remedy: "On your own machine, use `ralph run`.",
    });
  }
  const folder = normalize(inputs["working-directory"] ?? ".");
  if (!/^(?:\/|\.\.(?:\/|$))/.test(folder))
    return normalize(`${workspace}/${folder}`).replace(/\/$/, "");
  throw new RalphError("config", {
    message: `Input working-directory: "${folder}" is not a folder inside the checkout.`,
    remedy: "Give a path relative to the repository's root.",
  });
}

/** The inputs as the options of a run; `bundle` is the folder of a session to resume. */
export function runOptionsOf(
  inputs: Inputs,
  { env, bundle }: { env: Environment; bundle?: string | undefined },
): RunOptions {
  const options = {
    prdJson: inputs["prd-json"],
    modelImpl: inputs["model-impl"],
    modelTest: inputs["model-test"],
    modelReview: inputs["model-review"],
    agent: inputs.agent,
    gates: inputs.gates,
    baseBranch: inputs["base-branch"],
    maxIterations: inputs["max-iterations"],
    parallel: inputs.parallel,
    env: inputs.env,
    postVerify: inputs["post-verify"],
    budget: inputs["budget-usd"],
    sandbox: inputs.sandbox,
    jobMinutes: inputs["timeout-minutes"],
    keepGoing: inputs["keep-going"],
    dryRun: inputs["dry-run"],
    resume: bundle,
  };
  return withEnvironment(options, env);
}

/**
 * The system of a session: its environment has the keys from the descriptor and the agent program the workflow names.
 * The initial environment of this process has neither.
 */
export function sessionSystem(
  system: System,
  { inputs, handed }: Pick<StepContext, "inputs" | "handed">,
): System {
  const env = { ...system.env, ...parseKeys(handed), ...agentCommand(inputs) };
  return { ...system, ask: withoutKeys(system.ask), env: Object.freeze(env) };
}

/** Only agents, which are supervised, get the keys; git and other helper programs do not (T16). */
const withoutKeys =
  (ask: System["ask"]): System["ask"] =>
  (command) => {
    const shown = Object.entries(command.env).filter(([name]) => !isKey(name));
    return ask({ ...command, env: Object.fromEntries(shown) });
  };

const isKey = (name: string) =>
  keyInputs.some(({ variable }) => variable === name) ||
  (name.endsWith("_API_KEY") && isModelCredential(name));

/** Without `agent` the configuration selects the driver, so every driver's variable is set. */
function agentCommand({ agent, "agent-command": command }: Inputs): Environment {
  if (command === undefined) return {};
  const named = agent === undefined ? drivers : [driverNamed(agent)];
  const variables = named.flatMap(({ programVariable }) => programVariable ?? []);
  if (variables.length > 0) return Object.fromEntries(variables.map((name) => [name, command]));
  throw new RalphError("config", {
    message: `Input agent-command: the driver ${agent} has no command to replace.`,
    remedy: "Set `agents.<role>.command` in .ralph/ralph.yml instead.",
  });
}
