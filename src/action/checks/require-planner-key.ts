import { driverNamed } from "../../agents/drivers/drivers.ts";
import { chooseProvider } from "../../autopilot/llm/choose-provider.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { keyInputs } from "../inputs/keys.ts";

/**
 * The analysis needs a key, of a provider or of the program that stands in for one: on a runner nobody is logged in, and
 * only the workflow can hand one over.
 */
export function requirePlannerKey(config: Config, env: Environment): void {
  const { analysis } = config.autopilot;
  try {
    const { kind } = chooseProvider(analysis, { env, hasClaude: true });
    if (kind === "api") return;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw noKey(error.message);
  }
  const planner = analysis.provider === undefined ? config.agents.planning.driver : "claude";
  const { programVariable, credentials } = driverNamed(planner);
  const hasOwn = credentials.length === 0 || Boolean(programVariable && env[programVariable]);
  const hasKey = credentials.some(({ names }) => names.some((name) => Boolean(env[name])));
  if (!hasOwn && !hasKey) throw noKey("There is no model key for analysis and planning.");
}

function noKey(message: string): RalphError {
  const inputs = keyInputs.map(({ input }) => `\`${input}\``);
  return new RalphError("config", {
    message,
    remedy: `Store a key as a secret of the repository and hand it over as ${inputs.join(", ")}. Workflows of forks and of Dependabot get no secrets.`,
  });
}
