import { calledAgents } from "../../agents/call/called-agents.ts";
import { findProgram } from "../../agents/call/find-program.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import type { Inputs } from "../inputs/inputs.ts";
import { checkAgentInputs } from "./check-agent-inputs.ts";

/** Where a job's programs are called, and what its configuration says. */
export type Planned = { system: System; root: string; config: Config };

/**
 * The agent programs of ours that this run would call and that are not on the runner. One whose version the
 * workflow names is needed in any case.
 */
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
    const isThere = await findProgram(system, { file, root });
    if (isPinned || isThere === undefined) needed.add(driver.name);
  }
  return [...needed];
}
