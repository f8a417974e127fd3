import { basename } from "node:path/posix";
import { agentVersion, findProgram } from "../../agents/call/agent-version.ts";
import { type CalledAgent, calledAgents } from "../../agents/call/called-agents.ts";
import { type Check, failure, pass } from "../check.ts";
import type { ScanContext } from "../scan-context.ts";

/** Checks that every agent program of the configuration can be started. */
export const agents: Check = {
  name: "agents",
  needs: ["config"],
  run: async (context) => {
    const { config } = await context.config();
    const called = calledAgents(config, context.system.env);
    const found = await Promise.all(called.map((agent) => findAgentProgram(context, agent)));
    const missing = found.filter(({ path }) => path === undefined);
    if (missing.length > 0) return absent(missing);
    await context.agents();
    const [first] = found;
    return pass(found.map(({ label }) => label).join("; "), {
      ...(first?.path && { path: first.path }),
      ...(first?.version && { version: first.version }),
    });
  },
};

type AgentProgram = CalledAgent & { path?: string; version?: string; label: string };

async function findAgentProgram(context: ScanContext, agent: CalledAgent): Promise<AgentProgram> {
  const { system, root } = context;
  const path = await findProgram(system, { file: agent.file, root });
  const version = path && (await agentVersion(system, agent, root));
  const label = [`${agent.roles.join(", ")}: ${agent.program[0]}`, version]
    .filter(Boolean)
    .join(" ");
  return { ...agent, ...(path && { path }), ...(version && { version }), label };
}

function absent(missing: readonly AgentProgram[]) {
  const names = missing.map(({ file, driver }) => `\`${file}\` (driver ${driver.name})`);
  const remedies = new Set(missing.map(({ driver }) => driver.remedy));
  return failure(`Missing or not executable: ${names.join(", ")}.`, {
    remedy: [...remedies].join(" "),
    fixes: missing.map(({ file }) => ({ install: basename(file) })),
  });
}
