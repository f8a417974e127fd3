import { isUtf8 } from "node:buffer";
import { basename, dirname } from "node:path/posix";
import { RalphError } from "../error.ts";
import { nameOf } from "../model/foreign/change-request.ts";
import { findTaskBlock } from "../model/foreign/task-block.ts";
import { updateRequest } from "../surfaces/documents/update-request.ts";
import { readSource } from "../system/read-source.ts";
import type { System } from "../system/system.ts";
import type { TaskFile } from "../system/task-file.ts";

export type Updated = { path: string; shown: string; format: "cr" | undefined };

/**
 * The text of a Markdown file with its task list made anew and every other byte as it is. Without a format it keeps
 * the one its list has.
 */
export async function updateTarget(
  { files }: Pick<System, "files">,
  { path, shown, format }: Updated,
  { prd }: TaskFile,
): Promise<string> {
  const remedy = "Without `--update` the file is written whole.";
  const missing = { reason: "source", file: shown, remedy } as const;
  const file = {
    read: (_: string, options?: { maxBytes?: number }) =>
      files(dirname(path)).read(basename(path), options),
  };
  const bytes = await readSource(file, { maxBytes: 1024 * 1024, missing });
  if (!isUtf8(bytes)) throw unfit(shown, "is not UTF-8; save it as UTF-8");
  const text = bytes.toString("utf8");
  const block = findTaskBlock(text);
  const found = block.kind === "found" ? text.slice(block.start, block.end) : "";
  const kept = /"steps"\s*:/.test(found) ? "cr" : "markdown";
  const updated = updateRequest(text, prd, { format: format ?? kept, name: nameOf(shown) });
  if (updated !== undefined) return updated;
  throw unfit(shown, block.kind === "missing" ? block.remark.message : "has no task list");
}

const unfit = (file: string, message: string) =>
  new RalphError("source", {
    message: `${file} cannot be updated: it ${message}. Nothing was written.`,
    remedy: "Write it whole with `--force` in place of `--update`.",
    problems: [{ file, message }],
  });
