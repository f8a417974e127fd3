import { FileError } from "../../platform/file-error.ts";
import type { ReadFiles } from "../../platform/system.ts";

/** Names in a folder, empty for the root. One that may not be read, such as a database's, tells us nothing. */
export async function listNames(files: ReadFiles, folder: string): Promise<string[]> {
  try {
    return await files.list(folder === "" ? "." : folder);
  } catch (error) {
    if (error instanceof FileError) return [];
    throw error;
  }
}
