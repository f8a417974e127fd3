import { randomBytes } from "node:crypto";
import { clock } from "./clock.ts";
import { createFiles } from "./fs/files.ts";
import { ask } from "./process/ask.ts";
import { startLong } from "./process/start-long.ts";
import { supervise } from "./process/supervise.ts";
import type { System } from "./system.ts";

/** The real system. The environment is copied once. */
export function createSystem(): System {
  return {
    files: createFiles,
    ask,
    supervise,
    startLong,
    clock,
    randomHex: (bytes) => randomBytes(bytes).toString("hex"),
    env: Object.freeze({ ...process.env }),
  };
}
