import { constants } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Location, lstatRegular } from "./location.ts";
import { syncFolders } from "./sync-file.ts";
import { createTemporaryName } from "./temporary-file.ts";

/**
 * Replaces a file as a whole: readers see the old or the new content, never a part, whenever we are killed
 * (F01, F02). `durable` adds fsync of the file before and of its folders after the rename (F07). Nothing is
 * retried: pages are marked clean after a failed fsync (F05).
 */
export async function writeWhole(
  location: Location,
  content: string | Buffer,
  { durable }: { durable: boolean },
): Promise<void> {
  const mode = lstatRegular(location)?.mode;
  const temporary = join(location.folder, createTemporaryName());
  try {
    await writeNew(temporary, content, { mode, durable });
    await rename(temporary, location.absolute);
  } catch (error) {
    // The first error is the one to report, also when the disk refuses the removal.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  if (durable) await syncFolders(location);
}

async function writeNew(
  path: string,
  content: string | Buffer,
  { mode, durable }: { mode: number | undefined; durable: boolean },
): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  await using file = await open(path, flags);
  if (mode !== undefined) await file.chmod(mode & 0o777);
  await file.writeFile(content);
  if (durable) await file.sync();
}
