import type { ReferenceDocument } from "../../agents/prompts/prompt-context.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { dialects } from "../../dialects/dialects.ts";
import type { ReadFiles } from "../../platform/system.ts";

/** Prompts show less of each; a larger file is no document for people. */
const maxBytes = 64 * 1024;

/** The documents that the dialects name for a task. They are only read; a file that cannot be read is left out. */
export async function readReferenceDocuments(
  files: Pick<ReadFiles, "read">,
  state: Pick<SessionState, "session">,
  task: Pick<TaskState, "task">,
): Promise<ReferenceDocument[]> {
  const paths = dialects.flatMap(({ references }) => references?.(state, task) ?? []);
  const texts = await Promise.all(paths.map((path) => readText(files, path)));
  return paths.flatMap((label, index) => {
    const text = texts[index] ?? "";
    return text.trim() === "" ? [] : [{ label, text }];
  });
}

async function readText(files: Pick<ReadFiles, "read">, path: string): Promise<string | undefined> {
  try {
    return (await files.read(path, { maxBytes }))?.toString("utf8");
  } catch {
    return undefined;
  }
}
