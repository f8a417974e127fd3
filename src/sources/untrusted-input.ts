import type { Config } from "../schema/config/config.ts";

/**
 * The configuration of a run whose input a stranger may have written: the sandbox is required, the network of agents and
 * gates is closed, and keys stay outside, whatever the file says (design 5).
 */
export function forUntrustedInput(config: Config): Config {
  const { network } = config.sandbox;
  const mode = network.mode === "none" ? "none" : "cage";
  return {
    ...config,
    agents: { ...config.agents, credentials: "proxied" },
    sandbox: { ...config.sandbox, mode: "required", network: { ...network, mode, gates: mode } },
  };
}
