import { FileError } from "../../platform/file-error.ts";
import type { ReadFiles } from "../../platform/system.ts";

/** Lockfiles grow large. */
const maxBytes = 16 * 1024 ** 2;

/** The text of a manifest. Links, folders and huge files count as missing. */
export async function readTextFile(files: ReadFiles, path: string): Promise<string | undefined> {
  try {
    const bytes = await files.read(path, { maxBytes });
    return bytes?.toString().replace(/^\uFEFF/, "");
  } catch (error) {
    if (!(error instanceof FileError) || error.fault === "io") throw error;
    return undefined;
  }
}

/** The names in a folder; the empty path is the root. An unreadable folder, such as a database's, counts as empty. */
export async function listNames(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder === "" ? "." : folder);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
