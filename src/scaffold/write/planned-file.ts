import { parseConfig } from "../../sources/config-file.ts";
import { parseYaml } from "../../sources/parse-yaml.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** A file that `init` may write: a new or replaced file, or an existing one with added lines. */
export type PlannedFile = {
  /** Absolute folder `path` is relative to. */
  base: string;
  path: string;
  purpose: string;
  content: string;
  kind: "config" | "tasks" | "workflow" | "text" | "extended";
};

/** Validates a file before anything is written. An invalid file is a bug. */
export function checkPlanned(file: PlannedFile): PlannedFile {
  const bytes = Buffer.from(file.content);
  try {
    if (file.kind === "config") parseConfig(bytes, file.path);
    if (file.kind === "tasks") parseTaskFile(bytes, file.path);
    if (file.kind === "workflow") checkYaml(bytes, file.path);
    return file;
  } catch (cause) {
    throw new Error(`The rendered ${file.path} is invalid; nothing was written.\n${cause}`, {
      cause,
    });
  }
}

function checkYaml(bytes: Uint8Array, file: string): void {
  const parsed = parseYaml({ bytes, file, maxBytes: 64 * 1024 });
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.problems));
}
