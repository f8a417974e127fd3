import { basename, dirname, resolve } from "node:path/posix";
import { dialects } from "../../dialects/dialects.ts";
import { ownedPaths } from "../../entry/foreign-tree.ts";
import { RalphError } from "../../error.ts";
import type { Files, System } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { isPattern, matchingFiles } from "../../session/open/find-task-path.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { configPathOf, organizationPath, readConfig } from "../../sources/config-file.ts";
import { type CommandContext, sessionDirOf, shownBelow } from "../core/command.ts";
import { isSession } from "./check-session-folder.ts";
import { detectTarget, documentKind, readTargetText } from "./detect-target.ts";
import type { Target } from "./target.ts";

export type ValidateOptions = { tasks?: string; cr?: string; session?: string };

/** The files to check, and their project; its configuration unless that is broken. */
type ValidationTargets = { root: string; config: Config | undefined; targets: Target[] };

/** The files named on the command line, else all files of the project. */
export async function validationTargets(
  context: CommandContext,
  options: ValidateOptions,
): Promise<ValidationTargets> {
  const { system, directory, args, globals } = context;
  const root = await findRoot(system, directory);
  const detected = args.map((shown) =>
    detectTarget(system, { path: resolve(directory, shown), shown }),
  );
  const named = [
    ...(await Promise.all(detected)),
    ...targetOf("config", globals.config, root),
    ...targetOf("tasks", options.tasks, directory),
    ...targetOf("cr", options.cr, directory),
    ...targetOf("session", options.session, directory),
  ];
  const file = configPathOf(system.env, globals.config);
  const config = await readableConfig(system, root, file);
  const targets =
    named.length > 0 ? unique(named) : await existing(context, { root, file, config });
  return { root, config, targets };
}

const targetOf = (kind: Target["kind"], name: string | undefined, folder: string): Target[] =>
  name === undefined ? [] : [{ kind, path: resolve(folder, name), shown: name }];

/** Files of the same session have the same target. */
function unique(targets: readonly Target[]): Target[] {
  const known = new Map(
    targets.map((target) => [`${target.kind} ${target.path} ${target.part?.name}`, target]),
  );
  return [...known.values()];
}

async function existing(
  context: CommandContext,
  { root, file, config }: { root: string; file: string; config: Config | undefined },
): Promise<Target[]> {
  const { system } = context;
  const isNamed = Boolean(system.env.RALPH_CONFIG);
  const found = unique([
    ...targetOf("config", file, root),
    ...targetOf("organization", organizationPath, root),
    ...(await projectFiles(system, root, config)),
    ...(await sessionFiles(context, root)),
    ...(await stateFiles(system.files(root), root)),
  ]);
  const isThere = await Promise.all(found.map((target) => exists(system, target)));
  // A configuration named by RALPH_CONFIG must exist.
  const targets = found.filter((_, index) => isThere[index] || (index === 0 && isNamed));
  if (targets.length > 0) return targets;
  throw new RalphError("config", {
    message: `${root} holds nothing to validate: no .ralph/ralph.yml, no .ralph/prd.json.`,
    remedy: "Write these files with `ralph init`.",
  });
}

const exists = async ({ files }: Pick<System, "files">, { path }: Target): Promise<boolean> =>
  (await files(dirname(path)).stat(basename(path))) !== undefined;

async function readableConfig(system: Pick<System, "files">, root: string, file: string) {
  try {
    return (await readConfig(system.files(root), file)).config;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return undefined;
  }
}

const autopilot = ".ralph/autopilot";

/** Task list, analysis, run records and documents (specs 004 10.2); without a configuration, in the default places. */
async function projectFiles(
  system: Pick<System, "files">,
  root: string,
  config: Config | undefined,
): Promise<Target[]> {
  const files = system.files(root);
  const source = config?.task_source ?? { type: "prd_json", path: ".ralph/prd.json" };
  const documents = config?.autopilot.prd.output_dir ?? "tasks";
  const below = async (folder: string, pattern: RegExp) =>
    (await files.list(folder))
      .filter((name) => pattern.test(name))
      .map((name) => `${folder}/${name}`);
  const kind = source.type === "prd_json" ? "tasks" : "cr";
  const taskPaths = isPattern(source.path)
    ? await matchingFiles(files, source.path)
    : [source.path];
  const records = await below(`${autopilot}/runs`, /\.json$/);
  const texts = await below(documents.replace(/^(?:\.\/)+|\/+$/g, "") || ".", /^prd-.*\.md$/);
  const found = texts.map(async (path) => {
    const kind = documentKind(await readTargetText(system, `${root}/${path}`));
    return kind ? targetOf(kind, path, root) : [];
  });
  return [
    ...taskPaths.flatMap((path) => targetOf(kind, path, root)),
    ...targetOf("agents-md", "AGENTS.md", root),
    ...targetOf("progress", config?.autopilot.memory.progress ?? ".ralph/progress.txt", root),
    ...targetOf("analysis", `${autopilot}/analysis.json`, root),
    ...records.flatMap((path) => targetOf("run-record", path, root)),
    ...(await Promise.all(found)).flat(),
  ];
}

async function stateFiles(files: Files, root: string): Promise<Target[]> {
  const owned = await Promise.all(dialects.map((dialect) => ownedPaths(files, dialect)));
  return owned.flat().flatMap((path) => targetOf("state", path, root));
}

async function sessionFiles(context: CommandContext, root: string): Promise<Target[]> {
  const folder = sessionDirOf(context, root);
  const shown = shownBelow(root, folder);
  if (!(await isSession(context.system.files(folder)))) return [];
  return [
    ...targetOf("session", shown, root),
    ...targetOf("run-record", `${shown}/run-record.json`, root),
  ];
}
