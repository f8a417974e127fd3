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
  const text = await readLog(system, { root, path });
  if (!isOldestFirst(text)) return [];
  return [
    `${path}: its entries are oldest first. ralph adds new ones at the top, below the patterns, and moves nothing.`,
  ];
}

/** An unreadable log counts as empty; writing to it reports the error. */
async function readLog(
  { files }: Pick<System, "files">,
  { root, path }: { root: string; path: string },
): Promise<string> {
  try {
    return (await files(root).read(path))?.toString("utf8") ?? "";
  } catch (error) {
    if (error instanceof FileError) return "";
    throw error;
  }
}
