import type { Config } from "../model/config.ts";
import type { Run } from "../run/run.ts";

/** The files of the repository that we ourselves write and commit with each pass (design 4.6). */
export function bookkeepingPaths(config: Config, run: Run): string[] {
  return [run.session.source.path, config.autopilot.memory.progress, "AGENTS.md"];
}
