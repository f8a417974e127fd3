import { findProgram } from "../../agents/call/agent-version.ts";
import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { programOf } from "../../agents/drivers/program.ts";
import { chooseProvider } from "../../autopilot/llm/choose-provider.ts";
import { RalphError } from "../../error.ts";
import type { Environment } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Inputs } from "../inputs/inputs.ts";
import type { Planned } from "../inputs/plan-run.ts";
import { isInstallable } from "./install-program.ts";

/** The agent programs this run calls that the runner lacks. One whose version the workflow names is always installed. */
export async function neededPrograms(
  inputs: Inputs,
  { system, root, config }: Planned,
): Promise<string[]> {
  const agents = calledAgents(config, system.env);
  checkAgentInputs(inputs, agents);
  const isPinned = inputs["agent-version"] !== undefined;
  const needed = new Set<string>();
  for (const { driver, file } of agents) {
    if (file !== driver.program) continue;
    const isPresent = await findProgram(system, { file, root });
    if (isPinned || isPresent === undefined) needed.add(driver.name);
  }
  return [...needed];
}

/** An input that names a program or its version must apply to exactly one; otherwise it would be ignored silently. */
export function checkAgentInputs(inputs: Inputs, agents: readonly CalledAgent[]): void {
  const { agent } = inputs;
  const startable = driversOf(agents.filter(({ driver }) => driver.programVariable));
  if (inputs["agent-command"] !== undefined && agent === undefined)
    requireOne("agent-command", startable);
  const own = agents.filter(({ driver, file }) => file === driver.program);
  if (inputs["agent-version"] !== undefined)
    requireOne("agent-version", driversOf(own).filter(isInstallable));
}

const driversOf = (agents: readonly CalledAgent[]) => [
  ...new Set(agents.map(({ driver }) => driver.name)),
];

function requireOne(input: string, drivers: readonly string[]): void {
  if (drivers.length === 1) return;
  const fault =
    drivers.length === 0
      ? "this run calls no agent program it applies to."
      : `it applies to one agent program, and this run calls ${drivers.join(" and ")}.`;
  throw new RalphError("config", {
    message: `Input ${input}: ${fault}`,
    remedy: `Leave ${input} out, or name one driver for every role as \`agent\`.`,
  });
}

/**
 * Adds the names of the keys the workflow passes to a later step, as RALPH_GIVEN_KEYS lists them; the values are
 * placeholders.
 */
export function withGivenKeys(planned: Planned): Planned {
  const { system } = planned;
  const given = system.env.RALPH_GIVEN_KEYS?.split(/\s+/).filter(Boolean) ?? [];
  const env = { ...system.env, ...Object.fromEntries(given.map((name) => [name, "given"])) };
  return { ...planned, system: { ...system, env } };
}

/** The program that answers the planning questions, if the runner lacks it and no provider's key is given. */
export async function neededPlanner({ system, root, config }: Planned): Promise<string[]> {
  const { env } = system;
  const name = plannerOf(config, env);
  if (name === undefined) return [];
  const { planning } = config.agents;
  const settings = planning.driver === name ? planning : { args: [] };
  const driver = driverNamed(name);
  const [file] = programOf(driver, settings, env);
  const isThere = file !== driver.program || (await findProgram(system, { file, root }));
  return isThere ? [] : [name];
}

/** Undefined: a provider's API answers. */
function plannerOf({ autopilot, agents }: Config, env: Environment): string | undefined {
  const { provider } = autopilot.analysis;
  if (provider && provider !== "anthropic" && provider !== "claude_cli") return undefined;
  const { kind } = chooseProvider(autopilot.analysis, { env, hasClaude: true });
  if (kind === "api") return undefined;
  return provider === undefined ? agents.planning.driver : "claude";
}
