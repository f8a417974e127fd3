import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/**
 * Removes a file or folder with its content, and links without their targets. It also removes the user's read-only
 * folders, such as a cache of Go modules.
 */
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
