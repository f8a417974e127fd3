import { parseConfig } from "../../sources/config-file.ts";
import { parseYaml } from "../../sources/parse-yaml.ts";
import { parseTaskFile } from "../../sources/task-file.ts";

/** A file `init` may write: whole when it is missing or may be replaced, or an existing one with lines added. */
export type PlannedFile = {
  /** Absolute folder `path` is relative to. */
  base: string;
  path: string;
  purpose: string;
  content: string;
  kind: "config" | "tasks" | "workflow" | "text" | "extended";
};

/** Our own validators see every file before anything is written. What they refuse is a mistake of ours. */
export function checkPlanned(file: PlannedFile): PlannedFile {
  const bytes = Buffer.from(file.content);
  try {
    if (file.kind === "config") parseConfig(bytes, file.path);
    if (file.kind === "tasks") parseTaskFile(bytes, file.path);
    if (file.kind === "workflow") checkYaml(bytes, file.path);
    return file;
  } catch (cause) {
    throw new Error(`${file.path} was rendered wrong; nothing was written.\n${cause}`, { cause });
  }
}

function checkYaml(bytes: Uint8Array, file: string): void {
  const parsed = parseYaml({ bytes, file, maxBytes: 64 * 1024 });
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.problems));
}
