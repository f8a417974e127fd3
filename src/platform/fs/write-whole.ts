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
import { copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unless } from "../file-error.ts";
import type { WriteOptions } from "../system.ts";
import { type Location, lstatRegular, safely } from "./location.ts";
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
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safely;
    const file = openSync(temporary, flags);
    try {
      if (mode !== undefined) fchmodSync(file, mode & 0o777);
      // Synchronous, because another thread takes ten times as long as the call.
      writeFileSync(file, content);
      if (backdated) setOlder(file, Date.now() / 1000 - 1);
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
  const file = openSync(location.absolute, constants.O_RDONLY | safely);
  try {
    renameSync(temporary, location.absolute);
    before(readFileSync(file));
  } finally {
    closeSync(file);
  }
}

const setOlder = (file: number, time: number) => futimesSync(file, time, time);

/** Ignores errors, because the first error is the one to report. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next start removes it.
  }
}

/**
 * See `Files.copyLocked`. The lock is a hard link to a complete draft: after a kill in between, the draft's name identifies
 * the lock's owner, and `sweepTemporaryFiles` removes both (F03, F13).
 */
export async function copyLocked({ absolute, folder }: Location, source: string): Promise<boolean> {
  const lock = `${absolute}.lock`;
  const draft = join(folder, createTemporaryName());
  try {
    await copyFile(source, draft);
    await keepTime(source, draft);
    // The process that creates the lock file may write.
    const isFirst = await unless(
      "EEXIST",
      link(draft, lock).then(() => true),
    );
    if (!isFirst) return false;
    await moveLock(lock, absolute);
    return true;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

async function moveLock(lock: string, path: string): Promise<void> {
  try {
    await rename(lock, path);
  } catch (error) {
    await rm(lock, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Rounded down: git compares files again that are not older than its index, and must not miss any. */
async function keepTime(source: string, copy: string): Promise<void> {
  const { atime, mtimeMs } = await stat(source);
  await utimes(copy, atime, Math.floor(mtimeMs) / 1000);
}
