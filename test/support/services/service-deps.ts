import type { Fact } from "../../../src/core/state/event.ts";
import { planServices, type ServicePlan } from "../../../src/core/verify/plan-services.ts";
import { Services } from "../../../src/schema/config/services.ts";
import type { ServiceDeps } from "../../../src/services/service.ts";
import { gateDeps } from "../../gates/shell-deps.ts";
import type { TestSystem } from "../project/system.ts";

/** Without a sandbox; every fact is kept, and so is every output. */
export async function serviceDeps(
  system: TestSystem,
  signal = new AbortController().signal,
): Promise<ServiceDeps & { facts: Fact[]; outputs: string[] }> {
  const facts: Fact[] = [];
  const outputs: string[] = [];
  return {
    ...(await gateDeps(system, { signal })),
    startLong: system.startLong,
    connectTo: () => undefined,
    facts,
    outputs,
    notice: async (fact) => void facts.push(fact),
    keepEvidence: async (text, bytes) => {
      outputs.push(text);
      return { sha256: "0".repeat(64), bytes };
    },
  };
}

/** One service named `web`, as ralph.yml would hold it. */
export function planOf(
  command: string,
  { port, ...more }: { port: number; timeout?: number; health?: string[]; build?: string },
): ServicePlan[] {
  const { build, ...rest } = more;
  const start = build === undefined ? { dev: command } : { prod: command };
  const service = { start, port, ...rest, ...(build !== undefined && { build }) };
  return planServices(Services.parse({ web: service }), "dev").plans;
}
