import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { chmod, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Makes a folder and those above it; another process may make the same at the same time. Node's own recursive `mkdir`
 * never ends where a folder cannot be made although the one above exists, as in /proc.
 */
export async function makeFolderTree(folder: string, isRepeated = false): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    if (code !== "ENOENT") throw error;
    // The folder above may have been made right after the failure; the second one is final.
    const hasParent = existsSync(dirname(folder));
    if (hasParent && isRepeated) throw error;
    if (!hasParent) await makeFolderTree(dirname(folder));
    await makeFolderTree(folder, hasParent);
  }
}

/** Removes a file or folder with its content, read-only folders too, and links without their targets. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (!isDenied(error)) throw error;
    await openFolders(path);
    await rm(path, { recursive: true, force: true });
  }
}

const isDenied = (error: unknown) =>
  error instanceof Error && "code" in error && ["EACCES", "EPERM"].includes(String(error.code));

/** The second attempt to remove reports folders that cannot be opened. */
async function openFolders(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) return;
  await chmod(path, 0o700).catch(() => undefined);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.isDirectory()) await openFolders(join(path, entry.name));
  }
}

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

/**
 * Moves a folder below `root`, by its name there, to a place in the same file system that nothing has yet. A link, also on
 * the way, is no folder and stays, and so does a folder that cannot be moved. Answers whether it was moved.
 */
export function moveFolder(root: string, { name, to }: { name: string; to: string }): boolean {
  try {
    const from = join(realpathSync(root), name);
    if (existsSync(to) || realpathSync(from) !== from || !statSync(from).isDirectory())
      return false;
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    return true;
  } catch (error) {
    // Gone, taken by another process meanwhile, or not ours.
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

/** The number of a folder in its file system: its identity behind any mount. */
export const numberOf = (folder: string): string => String(statSync(folder).ino);
