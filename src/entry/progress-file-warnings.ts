import { FileError } from "../platform/file-error.ts";
import type { System } from "../platform/system.ts";
import type { Project } from "../session/open/open-project.ts";
import { isOldestFirst } from "../views/documents/progress-position.ts";

/** What is odd about the progress log a session will write to, before it does; nothing of it is changed. */
export async function progressFileWarnings(
  system: Pick<System, "files">,
  { root, config }: Pick<Project, "root" | "config">,
): Promise<string[]> {
  const path = config.autopilot.memory.progress;
  const text = await readLog(system, { root, path });
  if (!isOldestFirst(text)) return [];
  return [
    `${path}: its entries stand oldest first. New ones go on top all the same, below the patterns; nothing that is there is moved.`,
  ];
}

/** A log nobody can read is told by whoever has to write it. */
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
