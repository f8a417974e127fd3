import { basename, dirname, resolve } from "node:path/posix";
import { RalphError } from "../error.ts";
import { findRoot } from "../loop/locate-project.ts";
import { readConfig } from "../system/config-file.ts";
import type { System } from "../system/system.ts";
import type { Target } from "./check-file.ts";
import type { CommandContext } from "./command.ts";
import { sessionDirOf } from "./open-views.ts";

export type ValidateOptions = { tasks?: string; cr?: string; session?: string };

/** What is named on the command line; nothing named: all that exists in the project. */
export async function validationTargets(
  context: CommandContext,
  options: ValidateOptions,
): Promise<Target[]> {
  const { system, directory, args, globals } = context;
  const root = await findRoot(system, directory);
  const detected = args.map((name) => detect(system, resolve(directory, name), name));
  const named = [
    ...(await Promise.all(detected)),
    ...targetOf("config", globals.config, root),
    ...targetOf("tasks", options.tasks, directory),
    ...targetOf("cr", options.cr, directory),
    ...targetOf("session", options.session, directory),
  ];
  return named.length > 0 ? named : existing(context, root);
}

const targetOf = (kind: Target["kind"], name: string | undefined, folder: string): Target[] =>
  name === undefined ? [] : [{ kind, path: resolve(folder, name), shown: name }];

const sessionNames = ["session.json", "task-status.json", "task-status.sha256"];

/** By name, else by content: a text that begins as JSON is a task list. */
async function detect(
  { files }: Pick<System, "files">,
  path: string,
  shown: string,
): Promise<Target> {
  const name = basename(path);
  const stat = await files(dirname(path)).stat(name);
  if (stat?.kind === "folder") return { kind: "session", path, shown };
  if (sessionNames.includes(name)) {
    return { kind: "session", path: dirname(path), shown: dirname(shown) };
  }
  if (name === "timeline.jsonl") {
    return { kind: "session", path: dirname(dirname(path)), shown: dirname(dirname(shown)) };
  }
  if (/\.(?:md|markdown)$/i.test(name)) return { kind: "cr", path, shown };
  if (/\.ya?ml$/i.test(name)) return { kind: "config", path, shown };
  if (/\.json$/i.test(name) || stat?.kind !== "file") return { kind: "tasks", path, shown };
  const text = (await files(dirname(path)).read(name))?.toString() ?? "";
  return { kind: /^\s*[{[]/.test(text) ? "tasks" : "config", path, shown };
}

async function existing(context: CommandContext, root: string): Promise<Target[]> {
  const { system } = context;
  const config = system.env.RALPH_CONFIG || ".ralph/ralph.yml";
  const candidates = [
    ...targetOf("config", config, root),
    ...targetOf("tasks", await taskPathOf(system, root, config), root),
  ];
  const session = sessionDirOf(context, root);
  const isThere = async ({ path }: Target) =>
    (await system.files(dirname(path)).stat(basename(path))) !== undefined;
  const found = await Promise.all(
    candidates.map(async (target) => ((await isThere(target)) ? [target] : [])),
  );
  const shown = session.startsWith(`${root}/`) ? session.slice(root.length + 1) : session;
  const hasSession = (await system.files(session).stat("session.json")) !== undefined;
  const targets = [...found.flat(), ...(hasSession ? targetOf("session", shown, root) : [])];
  if (targets.length > 0) return targets;
  throw new RalphError("config", {
    message: `There is nothing to validate in ${root}: no .ralph/ralph.yml, no .ralph/prd.json.`,
    remedy: "Run `ralph` to see what the two files look like.",
  });
}

/** Where the configuration says; a broken one does not hide the list in its usual place. */
async function taskPathOf(system: Pick<System, "files">, root: string, config: string) {
  try {
    return (await readConfig(system.files(root), config)).config.task_source.path;
  } catch (error) {
    if (error instanceof RalphError) return ".ralph/prd.json";
    throw error;
  }
}
