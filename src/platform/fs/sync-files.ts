import { constants, readdirSync, readlinkSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname } from "node:path";
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

/**
 * The journal of a folder's file system, ext3 or ext4, as the kernel lists them. It keeps changes in order, so flushing one
 * file makes every earlier change of any file durable. Undefined where this is unknown: on btrfs, in a container's own
 * layer, or on ext4 without a journal.
 */
export function journalOf(folder: string): string | undefined {
  try {
    const device = basename(readlinkSync(`/sys/dev/block/${nameDevice(statSync(folder).dev)}`));
    return readdirSync("/proc/fs/jbd2").find((name) => name.startsWith(`${device}-`));
  } catch {
    return undefined;
  }
}

/** Major and minor number, as Linux packs them. Pure. */
export function nameDevice(device: number): string {
  const packed = BigInt(device);
  const major = ((packed >> 8n) & 0xfffn) | ((packed >> 32n) & 0xfffff000n);
  const minor = (packed & 0xffn) | ((packed >> 12n) & 0xffffff00n);
  return `${major}:${minor}`;
}
