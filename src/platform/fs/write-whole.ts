import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  futimesSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { WriteOptions } from "../system.ts";
import { type Location, lstatRegular } from "./location.ts";
import { syncFolders } from "./sync-files.ts";
import { createTemporaryName } from "./temporary-file.ts";

/**
 * Replaces a file as a whole: readers see the old or the new content, never a part, even after a kill (F01, F02).
 * `durable` adds fsync of the file before and of its folders after the rename (F07). Nothing is retried: pages are marked
 * clean after a failed fsync (F05).
 */
export async function writeWhole(
  location: Location,
  content: string | Buffer,
  { durable = false, backdated = false, replaced }: WriteOptions = {},
): Promise<void> {
  const mode = lstatRegular(location)?.mode;
  const temporary = join(location.folder, createTemporaryName());
  try {
    const file = openNew(temporary);
    try {
      if (mode !== undefined) fchmodSync(file, mode & 0o777);
      // Synchronous, because another thread takes ten times as long as the call.
      writeFileSync(file, content);
      if (backdated) setOlder(file);
      if (durable) await promisify(fsync)(file);
    } finally {
      closeSync(file);
    }
    replace(temporary, { location, before: mode === undefined ? undefined : replaced });
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
  if (durable) await syncFolders([location]);
}

/** The old file is opened before the rename and read after it, so that no write into it goes unseen. */
function replace(
  temporary: string,
  { location, before }: { location: Location; before: WriteOptions["replaced"] },
): void {
  if (before === undefined) {
    renameSync(temporary, location.absolute);
    return;
  }
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = openSync(location.absolute, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    renameSync(temporary, location.absolute);
    before(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

/** By git's unit of time. */
function setOlder(file: number): void {
  const time = Date.now() / 1000 - 1;
  futimesSync(file, time, time);
}

function openNew(path: string): number {
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
}

/** Ignores errors, because the first error is the one to report. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next start removes it.
  }
}
