import { FileError } from "../platform/file-error.ts";
import type { System } from "../platform/system.ts";
import type { Project } from "../session/open/open-project.ts";
import { isOldestFirst } from "../views/documents/progress-position.ts";

/** Warnings about the progress log before a session writes to it. */
export async function progressFileWarnings(
  system: Pick<System, "files">,
  { root, config }: Pick<Project, "root" | "config">,
): Promise<string[]> {
  const path = config.autopilot.memory.progress;
  try {
    const text = (await system.files(root).read(path))?.toString("utf8") ?? "";
    if (!isOldestFirst(text)) return [];
    return [
      `${path}: its entries are oldest first. ralph adds new ones at the top, below the patterns, and moves nothing.`,
    ];
  } catch (error) {
    // Writing to it reports the error.
    if (error instanceof FileError) return [];
    throw error;
  }
}
