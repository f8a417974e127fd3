import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

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
