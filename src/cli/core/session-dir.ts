import { locateSessionDir } from "../../entry/open-views.ts";
import type { CommandContext } from "./command.ts";

/** Where this command shows or looks for a session of the project in `root`, absolute. */
export function sessionDirOf({ globals, system }: CommandContext, root: string): string {
  return locateSessionDir({ option: globals.sessionDir, env: system.env }, root);
}
