import { findProgram } from "../../agents/call/agent-version.ts";
import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { isInstallable } from "./install-program.ts";

/** The system a job's programs run in, the project's root, and its configuration with the inputs applied. */
export type Planned = { system: System; root: string; config: Config };

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
  const message =
    drivers.length === 0
      ? `Input ${input}: this run calls no agent program it applies to.`
      : `Input ${input}: it applies to one agent program, and this run calls ${drivers.join(" and ")}.`;
  throw new RalphError("config", {
    message,
    remedy: `Leave ${input} out, or name one driver for every role as \`agent\`.`,
  });
}
