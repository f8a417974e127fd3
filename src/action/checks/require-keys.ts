import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { chooseProvider } from "../../autopilot/llm/choose-provider.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { keyInputs } from "../inputs/keys.ts";

/**
 * Every agent program ralph starts itself needs a key: no user is logged in on a runner, so the first call would fail. A
 * program the user names with a command brings its own credential.
 */
export function requireKeys(config: Config, env: Environment): void {
  const locked = calledAgents(config, env).filter((agent) => isOwn(agent) && !hasKey(agent, env));
  if (locked.length === 0) return;
  const names = [...new Set(locked.map(({ driver }) => driver.name))];
  const accepted = keyInputs.filter(({ variable }) =>
    locked.some(({ driver }) => driver.credentials.some(({ names }) => names.includes(variable))),
  );
  // A program without an input for its key gets it through the job's environment.
  const variables = locked.flatMap(({ driver }) =>
    driver.credentials.flatMap(({ names }) => names.filter((name) => name.endsWith("_API_KEY"))),
  );
  const sources =
    accepted.length > 0
      ? accepted.map(({ input }) => `\`${input}\``)
      : variables.map((name) => `\`${name}\` in the job's \`env\``);
  throw new RalphError("config", {
    message: `There is no model key for ${names.join(" and ")}.`,
    remedy: `Store the key as a secret of the repository and pass it as ${sources.join(" or ")}. Workflows of forks and of Dependabot get no secrets: run on a branch of this repository.`,
  });
}

const isOwn = ({ driver, program }: CalledAgent) =>
  driver.credentials.length > 0 && program[0] === driver.program;

/** Addresses, folders and switches (`…_URL`, `…_DIR`, `…_USE_…`) also count: they replace a key. */
const hasKey = ({ driver }: Pick<CalledAgent, "driver">, env: Environment) =>
  driver.credentials.some(({ names }) => names.some((name) => Boolean(env[name])));

/** Analysis and planning need the key of a provider, or of the agent program that answers in its place. */
export function requirePlannerKey(config: Config, env: Environment): void {
  const { analysis } = config.autopilot;
  try {
    const { kind } = chooseProvider(analysis, { env, hasClaude: true });
    if (kind === "api") return;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw noPlannerKey(error.message);
  }
  const planner = analysis.provider === undefined ? config.agents.planning.driver : "claude";
  const driver = driverNamed(planner);
  const { programVariable, credentials } = driver;
  const hasOwn = credentials.length === 0 || Boolean(programVariable && env[programVariable]);
  if (!hasOwn && !hasKey({ driver }, env))
    throw noPlannerKey("There is no model key for analysis and planning.");
}

function noPlannerKey(message: string): RalphError {
  const inputs = keyInputs.map(({ input }) => `\`${input}\``);
  return new RalphError("config", {
    message,
    remedy: `Store a key as a secret of the repository and pass it as ${inputs.join(", ")}. Workflows of forks and of Dependabot get no secrets.`,
  });
}
