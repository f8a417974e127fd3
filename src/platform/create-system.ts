import { randomBytes } from "node:crypto";
import { clock } from "./clock.ts";
import { createFiles } from "./fs/files.ts";
import { useMachineProxy } from "./net/outer-proxy.ts";
import { ask } from "./process/ask.ts";
import { startLong } from "./process/start-long.ts";
import { supervise } from "./process/supervise.ts";
import type { System } from "./system.ts";

/** The real system. The environment is copied once, and requests of this process take the proxy it names. */
export function createSystem(): System {
  const env = Object.freeze({ ...process.env });
  useMachineProxy(env);
  return {
    files: createFiles,
    ask,
    supervise,
    startLong,
    clock,
    randomHex: (bytes) => randomBytes(bytes).toString("hex"),
    env,
  };
}
