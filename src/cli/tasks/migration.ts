import { basename, dirname, join, relative } from "node:path/posix";
import { type Problem, RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { detectProject } from "../../scaffold/detect/detect-project.ts";
import { findProjectLocation } from "../../scaffold/detect/find-project-location.ts";
import { renderCompound } from "../../scaffold/write/render-compound.ts";
import { renderPrdFile } from "../../scaffold/write/render-prd.ts";
import { configFile } from "../../schema/config/config.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import type { Refusal } from "../../sources/accept-source.ts";
import { parseConfig } from "../../sources/config-file.ts";
import { machineFile, readSource } from "../../sources/read-source.ts";
import { parseCompoundConfig, parseForeignTaskFile } from "../../sources/task-file.ts";
import type { MigrationSource } from "./find-migration.ts";
import { targetAt, type WriteTarget } from "./write-targets.ts";

/** The files to write, and their tasks. */
export type Migration = {
  source: string;
  targets: WriteTarget[];
  prd: Prd | undefined;
  warnings: Problem[];
};

export type MigrationPlace = { system: System; root: string; directory: string };

const taskFile = ".ralph/prd.json";

/** Converts `compound.config.json` and, if present, the list in its output folder (specs 004 9.2). */
export async function migrateCompound(
  place: MigrationPlace,
  found: MigrationSource,
): Promise<Migration> {
  const { system } = place;
  const refusal = refusalOf(found, "config");
  const { data: compound, warnings } = parseCompoundConfig(
    await read(system, found, refusal),
    refusal,
  );
  const { baseBranch, above } = await findProjectLocation(system, place.root);
  const known = { baseBranch, above };
  const detected = await detectProject(system.files(place.root), known);
  const content = renderCompound(compound, detected);
  // Validates the result before anything is written.
  parseConfig(Buffer.from(content), configFile);
  const config = targetAt(join(place.root, configFile), { ...place, content });
  const list = listBeside(found, compound.outputDir);
  const hasList = (await system.files(dirname(found.path)).stat(list.inFolder))?.kind === "file";
  const tasks = hasList ? await migrateList(place, list) : undefined;
  return {
    source: found.shown,
    targets: [config, ...(tasks?.targets ?? [])],
    prd: tasks?.prd,
    warnings: [...warnings, ...(tasks?.warnings ?? [])],
  };
}

function listBeside(
  { path, shown }: MigrationSource,
  outputDir: string,
): MigrationSource & { inFolder: string } {
  const inFolder = join(outputDir, "prd.json");
  return {
    kind: "user-stories",
    path: join(dirname(path), inFolder),
    shown: join(dirname(shown), inFolder),
    inFolder,
  };
}

/** Converts a list of another tool. A ralph list is copied unchanged. */
export async function migrateList(
  place: MigrationPlace,
  found: MigrationSource,
): Promise<Migration> {
  const { system, root } = place;
  const refusal = refusalOf(found, "source");
  const bytes = await read(system, found, refusal);
  const shown = found.path.startsWith(`${root}/`) ? relative(root, found.path) : found.shown;
  const taken = parseForeignTaskFile(bytes, refusal, { project: basename(root), shown });
  if (taken.data.tasks.length === 0) throw noTasks(found.shown);
  const content = taken.isOurs ? taken.text : renderPrdFile(taken.data);
  const target = targetAt(join(root, taskFile), { ...place, content });
  return { source: found.shown, targets: [target], prd: taken.data, warnings: taken.warnings };
}

const refusalOf = ({ shown }: MigrationSource, reason: Refusal["reason"]): Refusal => ({
  reason,
  file: shown,
  remedy: `Fix ${shown} at the places above, then migrate again. Nothing was written.`,
});

function read(system: System, { path }: MigrationSource, refusal: Refusal): Promise<Buffer> {
  const missing = { ...refusal, remedy: "Name an existing file." };
  return readSource(machineFile(system, path), { maxBytes: 4 * 1024 * 1024, missing });
}

const noTasks = (file: string) =>
  new RalphError("source", {
    message: `${file} has no tasks. Nothing was written.`,
    remedy: "Add tasks, or start with `ralph init`.",
    problems: [{ file, message: "has no tasks" }],
  });
