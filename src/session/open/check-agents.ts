import { findProgram } from "../../agents/call/agent-version.ts";
import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { refuseForbidden } from "../../agents/call/environment.ts";
import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { AgentRole } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";

/**
 * Fails before anything is written or spent (exit 1) on an unknown driver, a missing program, or a variable that no
 * agent may have.
 */
export async function checkAgents(
  system: Pick<System, "ask" | "env">,
  { config, root, roles }: { config: Config; root: string; roles?: readonly AgentRole[] },
): Promise<void> {
  refuseForbidden("agents.env", config.agents.env);
  refuseForbidden("sandbox.env", config.sandbox.env);
  const byFile = new Map(
    calledAgents(config, system.env, roles).map((agent) => [agent.file, agent]),
  );
  for (const [file, agent] of byFile) {
    const path = await findProgram(system, { file, root });
    if (path === undefined) throw missing(agent);
  }
}

function missing({ file, driver: { name, remedy } }: CalledAgent): RalphError {
  return new RalphError("config", {
    message: `The agent program \`${file}\` (driver ${name}) is not there or cannot be executed.`,
    remedy,
  });
}
