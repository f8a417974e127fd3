import { RalphError } from "../error.ts";
import { findTaskPath } from "../loop/find-task-path.ts";
import type { Config } from "../model/config.ts";
import { readConfig } from "../system/config-file.ts";
import type { System } from "../system/system.ts";

/** What a configuration says about documents. */
export type DocumentSettings = {
  branchPrefix: string;
  /** The JSON list an import writes to, below the project root. */
  tasks: string;
  source: Config["task_source"];
};

const usual: DocumentSettings = {
  branchPrefix: "ralph/",
  tasks: ".ralph/prd.json",
  source: { type: "prd_json", path: ".ralph/prd.json" },
};

/** Converting a file needs no configuration: only one that is named has to be there and sound. */
export async function documentSettings(
  system: Pick<System, "files" | "env">,
  root: string,
  named: string | undefined,
): Promise<DocumentSettings> {
  const path = named ?? (system.env.RALPH_CONFIG || undefined);
  try {
    const { config } = await readConfig(system.files(root), path ?? ".ralph/ralph.yml");
    const { task_source: source, autopilot } = config;
    const tasks = source.type === "prd_json" ? source.path : autopilot.tasks.output;
    return { branchPrefix: autopilot.branch_prefix, tasks, source };
  } catch (error) {
    if (path !== undefined || !(error instanceof RalphError)) throw error;
    return usual;
  }
}

/** The list a command reads: the one that is named, else the project's own. */
export function chosenTasks(
  system: Pick<System, "ask" | "env" | "files">,
  root: string,
  { source, tasks }: { source: Config["task_source"]; tasks: string | undefined },
): Promise<string> {
  return findTaskPath(system, root, { source, asked: { tasks } });
}
