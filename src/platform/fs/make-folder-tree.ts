import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it; another process may make the same at the same time. Node's own recursive `mkdir`
 * never ends where a folder cannot be made although the one above exists, as in /proc.
 */
export async function makeFolderTree(folder: string): Promise<void> {
  const tried = await tryMakeFolder(folder);
  if (tried === "made") return;
  await makeFolderTree(dirname(folder));
  await makeFolderTree(folder);
}

/** `no-parent`: the folder above is missing too. */
async function tryMakeFolder(folder: string): Promise<"made" | "no-parent"> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !existsSync(dirname(folder))) return "no-parent";
    if (code !== "EEXIST" || !statSync(folder).isDirectory()) throw error;
  }
  return "made";
}
