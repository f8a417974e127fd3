import { RalphError } from "../../error.ts";
import { FileError } from "../../platform/file-error.ts";
import type { Files, System } from "../../platform/system.ts";
import { parseConfig } from "../../sources/config-file.ts";
import { parseYaml } from "../../sources/parse-yaml.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** A file that `init` may write: a new or replaced file, or an existing one with added lines. */
export type PlannedFile = {
  /** Absolute folder `path` is relative to. */
  base: string;
  path: string;
  purpose: string;
  content: string;
  kind: "config" | "tasks" | "workflow" | "text" | "extended";
};

/** Validates a file before anything is written. An invalid file is a bug. */
export function checkPlanned(file: PlannedFile): PlannedFile {
  const bytes = Buffer.from(file.content);
  try {
    if (file.kind === "config") parseConfig(bytes, file.path);
    if (file.kind === "tasks") parseTaskFile(bytes, file.path);
    if (file.kind === "workflow") checkYaml(bytes, file.path);
    return file;
  } catch (cause) {
    throw new Error(`The rendered ${file.path} is invalid; nothing was written.\n${cause}`, {
      cause,
    });
  }
}

function checkYaml(bytes: Uint8Array, file: string): void {
  const parsed = parseYaml({ bytes, file, maxBytes: 64 * 1024 });
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.problems));
}

/** The result for each planned file. `replaced` files have a backup. */
export type WrittenFiles = {
  created: PlannedFile[];
  replaced: { file: PlannedFile; backup: string }[];
  extended: PlannedFile[];
  /** Existing files that stay unchanged. */
  kept: PlannedFile[];
  /** Existing files with the same content. */
  same: PlannedFile[];
};

type Undo = () => Promise<void>;

/** Writes missing files; with `force` replaces others after a `.bak` backup. When one fails, it undoes the rest. */
export async function writeFiles(
  system: Pick<System, "files">,
  planned: readonly PlannedFile[],
  { force }: { force: boolean },
): Promise<WrittenFiles> {
  const written: WrittenFiles = {
    created: [],
    replaced: [],
    extended: [],
    kept: [],
    same: [],
  };
  const undo: Undo[] = [];
  for (const file of planned) await refuseBlocked(system.files(file.base), file);
  try {
    for (const file of planned) {
      await writeOne(system.files(file.base), file, { force, written, undo });
    }
    return written;
  } catch (error) {
    for (const step of undo.toReversed()) await step();
    throw explain(error);
  }
}

/** Refuses a file in the place of a folder with a clear message. */
async function refuseBlocked(files: Files, { base, path }: PlannedFile): Promise<void> {
  const parts = path.split("/").slice(0, -1);
  for (const index of parts.keys()) {
    const above = parts.slice(0, index + 1).join("/");
    if ((await files.stat(above))?.kind !== "file") continue;
    throw new RalphError("config", {
      message: `${base}/${above} is a file, and ${path} needs a folder there. Nothing was written.`,
      remedy: `Move ${above} out of the way, then run again.`,
    });
  }
}

/** Gives a file error a remedy for `init`, which has no session to resume. */
function explain(error: unknown): unknown {
  if (!(error instanceof FileError)) return error;
  const unwritable =
    "Make the folder writable and make sure that the disk is not full, then run again.";
  return new RalphError("config", {
    message: `Nothing was written: ${error.message}`,
    remedy: error.fault === "io" ? unwritable : error.remedy,
    cause: error,
  });
}

async function writeOne(
  files: Files,
  file: PlannedFile,
  { force, written, undo }: { force: boolean; written: WrittenFiles; undo: Undo[] },
): Promise<void> {
  const { path, content, kind } = file;
  const before = await files.read(path);
  if (before?.equals(Buffer.from(content))) {
    written.same.push(file);
    return;
  }
  if (before !== undefined && kind !== "extended" && !force) {
    written.kept.push(file);
    return;
  }
  undo.push(before ? () => files.write(path, before) : await removal(files, path));
  if (before === undefined) written.created.push(file);
  else if (kind === "extended") written.extended.push(file);
  else written.replaced.push({ file, backup: await backUp(files, { path, before, undo }) });
  await files.write(path, content);
}

async function backUp(
  files: Files,
  { path, before, undo }: { path: string; before: Buffer; undo: Undo[] },
): Promise<string> {
  const backup = await unusedName(files, `${path}.bak`);
  undo.push(() => files.remove(backup));
  await files.write(backup, before);
  return backup;
}

/** Removes the new file, or the uppermost new folder above it. */
async function removal(files: Files, path: string): Promise<Undo> {
  const parts = path.split("/");
  for (const [index] of parts.entries()) {
    const above = parts.slice(0, index + 1).join("/");
    if ((await files.stat(above)) === undefined) return () => files.remove(above);
  }
  return () => files.remove(path);
}

/** An older backup is never lost. */
async function unusedName(files: Files, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}${number}`;
    if ((await files.stat(candidate)) === undefined) return candidate;
  }
}
