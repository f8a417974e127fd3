import { mkdirSync, mkdtempSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";

/** Makes a new folder below `parent` that only this user can enter; answers its path. */
export function createPrivateFolder(parent: string, prefix: string): string {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  return mkdtempSync(join(parent, prefix));
}

/** Makes a link at `path` in a folder no other process uses yet, and the folders above it. */
export function placeLink(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}

/** The number of a folder in its file system: its identity behind any mount. */
export const numberOf = (folder: string): string => String(statSync(folder).ino);
