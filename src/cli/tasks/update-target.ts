import { isUtf8 } from "node:buffer";
import { type Problem, RalphError, renderProblem } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { requestName } from "../../schema/tasks/foreign/change-request.ts";
import { findTaskBlock } from "../../schema/tasks/foreign/task-block.ts";
import { positionAt } from "../../sources/parsed-text.ts";
import { machineFile, readSource } from "../../sources/read-source.ts";
import type { TaskFile } from "../../sources/task-file.ts";
import type { RequestFormat } from "../../views/documents/request-list.ts";
import { formatOf, updateRequest } from "../../views/documents/update-request.ts";

export type Updated = { path: string; shown: string; format: "cr" | undefined };

/**
 * The text of a Markdown file with its task list made anew and every other byte as it is. Without a format it keeps
 * the one its list has.
 */
export async function updateTarget(
  system: Pick<System, "files">,
  { path, shown, format }: Updated,
  { prd }: TaskFile,
): Promise<{ content: string; format: RequestFormat }> {
  const remedy = "Without `--update` the file is written whole.";
  const missing = { reason: "source", file: shown, remedy } as const;
  const bytes = await readSource(machineFile(system, path), { maxBytes: 1024 * 1024, missing });
  if (!isUtf8(bytes)) throw unfit({ file: shown, message: "is not UTF-8; save it as UTF-8" });
  const text = bytes.toString("utf8");
  const block = findTaskBlock(text);
  if (block.kind === "missing") {
    const { offset, message } = block.remark;
    throw unfit({ file: shown, ...positionAt(text, offset), message });
  }
  const options = { block, format: format ?? formatOf(text, block), name: requestName(shown) };
  return { content: updateRequest(text, prd, options), format: options.format };
}

const unfit = (problem: Problem) =>
  new RalphError("source", {
    message: `${problem.file} cannot be updated, nothing was written:\n${renderProblem(problem)}`,
    remedy: "Correct it, or write it whole with `--force` in place of `--update`.",
    problems: [problem],
  });
