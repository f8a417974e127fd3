import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Location } from "./location.ts";

/** fsync of a file and of the folders that lead to it. Never retried after a failure (F05). */
export async function syncFile(location: Location): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await syncPath(location.absolute, flags);
  await syncFolders(location);
}

/** The root too: a folder made for this file is itself an entry of the folder above (F07). */
export async function syncFolders({ folder, folders }: Location): Promise<void> {
  const root = folders[0] === undefined ? folder : dirname(folders[0]);
  for (const path of new Set([...folders.toReversed(), root])) {
    await syncPath(path, constants.O_RDONLY | constants.O_DIRECTORY);
  }
}

async function syncPath(path: string, flags: number): Promise<void> {
  await using handle = await open(path, flags);
  await handle.sync();
}
