import { createHash } from "node:crypto";

/** The parts of a gate or setup step that decide its result. */
export interface GateCommand {
  cmd: string;
  when?: string | undefined;
  timeout_seconds: number;
}

/** A digest of everything that decides a gate's result except the tree: together with the tree it identifies the result. */
export function gateKeyOf({ cmd, when, timeout_seconds }: GateCommand): string {
  const deciding = JSON.stringify([cmd, when ?? null, timeout_seconds]);
  return createHash("sha256").update(deciding).digest("hex");
}
