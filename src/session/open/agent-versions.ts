import { agentVersion } from "../../agents/call/agent-version.ts";
import { calledAgents } from "../../agents/call/called-agents.ts";
import type { System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";

/**
 * The versions of the agent programs a session calls, by driver, for its first event (design 9.1). A program named by
 * a variable is not asked: it may take the question for a call.
 */
export async function agentVersions(
  system: Pick<System, "supervise" | "env">,
  { config, root }: { config: Config; root: string },
): Promise<Record<string, string>> {
  const isStandIn = (variable: string | undefined) => variable && system.env[variable];
  const called = calledAgents(config, system.env).filter(
    ({ driver }) => !isStandIn(driver.programVariable),
  );
  const asked = called.map(async (agent) => {
    const version = await agentVersion(system, agent, root);
    return version === undefined ? [] : [[agent.driver.name, version] as const];
  });
  return Object.fromEntries((await Promise.all(asked)).flat());
}
