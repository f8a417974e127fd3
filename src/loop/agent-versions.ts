import { agentVersion } from "../agents/agent-version.ts";
import { driverNamed } from "../agents/drivers.ts";
import { programOf } from "../agents/program.ts";
import type { Config } from "../model/config.ts";
import type { System } from "../system/system.ts";
import { calledRoles } from "./check-agents.ts";

/**
 * Versions of the agent programs a session calls, by driver, for its first event (design 9.1). A stand-in given by a
 * variable is not asked: it may take the question for a call.
 */
export async function agentVersions(
  system: Pick<System, "supervise" | "env">,
  { agents }: Config,
): Promise<Record<string, string>> {
  const called = new Map(calledRoles.map((role) => [agents[role].driver, agents[role]]));
  const asked = [...called].map(async ([name, settings]): Promise<[string, string][]> => {
    const driver = driverNamed(name);
    if (driver.programVariable !== undefined && system.env[driver.programVariable]) return [];
    const version = await agentVersion(system, programOf(driver, settings, system.env), driver);
    return version === undefined ? [] : [[name, version]];
  });
  return Object.fromEntries((await Promise.all(asked)).flat());
}
