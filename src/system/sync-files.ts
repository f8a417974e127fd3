import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import type { Location } from "./location.ts";

/** fsync of files and of the folders that lead to them. Never retried after a failure (F05). */
export async function syncFiles(locations: readonly Location[]): Promise<void> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  await Promise.all(locations.map(({ absolute }) => syncPath(absolute, flags)));
  await syncFolders(locations);
}

/** Each folder once, the root too: a folder made for a file is itself an entry of the folder above (F07). */
export async function syncFolders(locations: readonly Location[]): Promise<void> {
  for (const path of new Set(locations.flatMap(foldersUp))) {
    await syncPath(path, constants.O_RDONLY | constants.O_DIRECTORY);
  }
}

function foldersUp({ folder, folders }: Location): string[] {
  const root = folders[0] === undefined ? folder : dirname(folders[0]);
  return [...folders.toReversed(), root];
}

async function syncPath(path: string, flags: number): Promise<void> {
  await using handle = await open(path, flags);
  await handle.sync();
}
