import { createHash } from "node:crypto";

/** A gate or setup step as far as its result depends on it. */
export interface GateCommand {
  cmd: string;
  when?: string | undefined;
  timeout_seconds: number;
}

/** Names everything that decides a gate's result except the tree: with the tree it names the result. */
export function gateKeyOf({ cmd, when, timeout_seconds }: GateCommand): string {
  const deciding = JSON.stringify([cmd, when ?? null, timeout_seconds]);
  return createHash("sha256").update(deciding).digest("hex");
}
