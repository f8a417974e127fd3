import { resolve } from "node:path/posix";
import type { Environment } from "../platform/system.ts";

/** The session directory, absolute: the option, `RALPH_SESSION_DIR`, else `.ralph-session`, from the project root (specs 004 A). */
export function locateSessionDir(
  { option, env }: { option: string | undefined; env: Environment },
  root: string,
): string {
  return resolve(root, option || env.RALPH_SESSION_DIR || ".ralph-session");
}
