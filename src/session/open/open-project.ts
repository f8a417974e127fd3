import { RalphError, renderProblem } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { Files, System } from "../../platform/system.ts";
import { type Config, configFile } from "../../schema/config/config.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { configPathOf, parseConfig, readConfig } from "../../sources/config-file.ts";
import { isMarkdown } from "../../sources/markdown-tasks.ts";
import { readTaskFile, type TaskFile } from "../../sources/task-file.ts";
import { findTaskPath, type TaskSelection } from "./find-task-path.ts";
import { checkLaterKeys } from "./later-keys.ts";
import { findRoot, locateStore } from "./locate-project.ts";
import type { MakeConfig } from "./start-config.ts";

/** A project and its files; paths are relative to its root. */
export interface Project {
  root: string;
  configPath: string;
  taskPath: string;
  /** The text of the configuration that was made because the project has none. */
  madeConfig?: string;
  config: Config;
  prd: Prd;
  store: SessionStore;
  warnings: string[];
}

export type ProjectPaths = TaskSelection & {
  directory: string;
  config?: string | undefined;
  makeConfig?: MakeConfig | undefined;
};

/** Finds the project and checks configuration (exit 1), task list (exit 2) and git (exit 14), in this order. Writes nothing. */
export async function openProject(system: System, paths: ProjectPaths): Promise<Project> {
  const root = await findRoot(system, paths.directory);
  const files = system.files(root);
  const configPath = configPathOf(system.env, paths.config);
  const read = await readOrMake(files, configPath, paths.makeConfig);
  const { made, config } = read;
  const later = checkLaterKeys(read, configPath);
  const taskPath = await findTaskPath(system, root, { source: config.task_source, asked: paths });
  const { prd, warnings: remarks } = await requireTasks(files, taskPath);
  const place = await locateStore(system, root);
  return {
    ...place,
    configPath: plain(configPath),
    taskPath,
    ...(made !== undefined && { madeConfig: made }),
    config,
    prd,
    warnings: [...read.warnings, ...later, ...remarks].map(renderProblem),
  };
}

/** A configuration the user names must exist; only the default one may be made. */
async function readOrMake(files: Files, path: string, makeConfig: MakeConfig | undefined) {
  const isMade = makeConfig && plain(path) === configFile && !(await files.stat(path));
  if (!isMade) return { made: undefined, ...(await readConfig(files, path)) };
  const made = await makeConfig(files);
  return { made, ...parseConfig(Buffer.from(made), path) };
}

const plain = (path: string) => path.replace(/^\.\//, "");

/** `validate` accepts an empty task list, but `run` has nothing to work on (compatibility 1.16). */
async function requireTasks(files: Files, path: string): Promise<TaskFile> {
  const read = await readTaskFile(files, path);
  if (read.prd.tasks.length > 0) return read;
  throw new RalphError("source", {
    message: `${path} has no tasks.`,
    remedy: isMarkdown(path)
      ? "Add one with id, category, description, steps and passes: false to its list, then run `ralph validate`."
      : "Add one with id, title, description, acceptanceCriteria, priority and passes: false, then run `ralph validate`.",
  });
}
