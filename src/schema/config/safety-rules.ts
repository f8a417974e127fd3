import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";

/** Rules about the sandbox, its network and the keys in it. */
export const safetyRules: ConfigRule[] = [uncagedKeys, uncagedNetwork];

/** The proxy that puts a key in is the only way out of the sandbox. */
function uncagedKeys({ agents, sandbox }: ConfigSketch): Finding[] {
  if (agents?.credentials !== "proxied" || sandbox?.mode !== "off") return [];
  return [
    errorAt(
      ["agents", "credentials"],
      'is "proxied", which needs the sandbox; sandbox.mode is off',
    ),
  ];
}

function uncagedNetwork({ agents, sandbox }: ConfigSketch): Finding[] {
  if (!sandbox) return [];
  const { mode, network } = sandbox;
  const isClosed = network.mode !== "host" || network.gates !== "host";
  if (mode === "off" && isClosed)
    return [warningAt(["sandbox", "network"], "has no effect: sandbox.mode is off")];
  const isIdle =
    network.mode !== "cage" && network.gates !== "cage" && agents?.credentials !== "proxied";
  return isIdle && network.allow.length > 0
    ? [warningAt(["sandbox", "network", "allow"], "has no effect: the network is no cage")]
    : [];
}
