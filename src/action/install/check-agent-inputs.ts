import type { CalledAgent } from "../../agents/call/called-agents.ts";
import { RalphError } from "../../error.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { isInstallable } from "./install-program.ts";

/** An input that names a program or its version must reach exactly one: none of them is silently without effect. */
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
      ? `Input ${input}: no agent program this could be meant for is called.`
      : `Input ${input}: it can be meant for one agent program only; ${drivers.join(" and ")} are called.`;
  throw new RalphError("config", {
    message,
    remedy: `Leave ${input} out, or name the one driver of every role as \`agent\`.`,
  });
}
