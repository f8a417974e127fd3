import { copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { hasCode } from "../file-error.ts";
import type { Location } from "./location.ts";
import { createTemporaryName } from "./temporary-file.ts";

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
    if (!(await isFirst(draft, lock))) return false;
    await replace(absolute, lock);
    return true;
  } finally {
    await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** The process that creates the lock file may write. */
async function isFirst(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if (hasCode(error) && error.code === "EEXIST") return false;
    throw error;
  }
}

async function replace(path: string, lock: string): Promise<void> {
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
