import { normalize } from "node:path/posix";
import { RalphError } from "../../error.ts";
import type { ReadFiles } from "../../platform/system.ts";
import { readConfig } from "../../sources/config-file.ts";
import { pathIn } from "../detect/part.ts";

/** The paths of ralph's own files, below the project root. */
export type RalphPaths = { config: string; tasks: string; progress: string; archive: string };

/** The paths in a folder. Refuses a folder outside of the project. */
export function ralphPathsIn(output: string): RalphPaths {
  const folder = normalize(output).replace(/\/$/, "");
  if (folder === "." || /^(?:\/|~|\.\.(?:\/|$))|[\\\p{Cc}]/u.test(folder)) {
    throw new RalphError("config", {
      message: `--output ${JSON.stringify(output)} is not a folder inside the project.`,
      remedy: "Name one relative to the project's root, such as `--output .ralph`.",
    });
  }
  const inside = (name: string) => pathIn(folder, name);
  return {
    config: inside("ralph.yml"),
    tasks: inside("prd.json"),
    progress: inside("progress.txt"),
    archive: inside("archive"),
  };
}

/** The paths in a valid configuration. `tasks` is undefined when they do not come from a prd.json. */
export async function configuredPaths(
  files: ReadFiles,
  path: string,
): Promise<{ tasks: string | undefined; progress: string } | undefined> {
  try {
    const { config } = await readConfig(files, path);
    const { type, path: tasks } = config.task_source;
    const { progress } = config.autopilot.memory;
    return {
      tasks: type === "prd_json" ? normalize(tasks) : undefined,
      progress: normalize(progress),
    };
  } catch (error) {
    if (error instanceof RalphError) return undefined;
    throw error;
  }
}
