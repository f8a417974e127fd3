import type { Config } from "../../schema/config/config.ts";
import type { Network } from "../../schema/config/safety.ts";

/** The network of agents and that of gates. */
export interface NetworkPlan {
  readonly agents: Network["mode"];
  readonly gates: Network["gates"];
  /** Whether keys stay outside: the agent gets a stand-in, and the proxy puts the key in. */
  readonly isProxied: boolean;
}

/** Keys can stay outside only where the proxy is the only way out (design 5). Pure. */
export function networkPlan({ sandbox, agents }: Pick<Config, "sandbox" | "agents">): NetworkPlan {
  const { mode, gates } = sandbox.network;
  const isProxied = agents.credentials === "proxied";
  return { agents: isProxied && mode === "host" ? "cage" : mode, gates, isProxied };
}

export const isClosed = ({ agents, gates }: NetworkPlan): boolean =>
  agents !== "host" || gates !== "host";
