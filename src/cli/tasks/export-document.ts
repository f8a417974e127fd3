import { join, resolve } from "node:path/posix";
import { RalphError } from "../../error.ts";
import { requestName } from "../../schema/tasks/foreign/change-request.ts";
import type { TaskFile } from "../../sources/task-file.ts";
import { renderRequest } from "../../views/documents/render-request.ts";
import { lossesOf } from "../../views/documents/request-list.ts";
import type { CommandContext } from "../core/command.ts";
import { renderFieldsJson } from "./export-json.ts";
import { updateTarget } from "./update-target.ts";
import { targetAt, type WriteTarget, writeTargets } from "./write-targets.ts";

export type ExportOptions = {
  prdJson?: string;
  format: "markdown" | "cr" | "json";
  output?: string;
  update?: boolean;
  fields?: string;
  force?: boolean;
};

type Given = { root: string; from: string; read: TaskFile; fields: readonly string[] | undefined };

/** The document as text; what it cannot hold is told. */
export function renderExport(
  context: CommandContext,
  options: ExportOptions,
  given: Given,
): string {
  const { read, fields, from } = given;
  const { format, output } = options;
  if (format === "json") return renderFieldsJson(read, fields);
  tellLosses(context, format, read);
  const now = new Date(context.system.clock.now()).toISOString();
  const name = requestName(output ?? read.prd.branchName ?? read.prd.project);
  return renderRequest(read.prd, { format, name, source: from, now });
}

function tellLosses({ output }: CommandContext, format: string, { prd }: TaskFile): void {
  const losses = format === "cr" ? lossesOf(prd) : [];
  for (const loss of losses) output.problem(`Warning: ${loss}`);
}

/** Where the document goes, and the whole text of that file. */
export async function toTarget(
  context: CommandContext,
  options: ExportOptions & { output: string },
  given: Given,
): Promise<WriteTarget> {
  const { directory, system } = context;
  const path = resolve(directory, options.output);
  const place = { root: given.root, directory };
  if (!options.update) {
    return targetAt(path, { ...place, content: renderExport(context, options, given) });
  }
  const format = options.format === "cr" ? "cr" : undefined;
  const asked = { path, shown: options.output, format } as const;
  const { content, format: kept } = await updateTarget(system, asked, given.read);
  tellLosses(context, kept, given.read);
  return targetAt(path, { ...place, content });
}

type Writing = { options: ExportOptions; source: string };

/** Writes the document; a list is never replaced by what was made from it. */
export async function writeExport(
  { system }: CommandContext,
  target: WriteTarget,
  { options, source }: Writing,
): Promise<void> {
  const { base, path, content } = target;
  if (options.update) return system.files(base).write(path, content);
  requireOther(target, source);
  const other = "name another file, or use `--update` to change only its task list";
  await writeTargets(system, [target], { force: options.force === true, other });
}

/** Fields that are left out, and what Markdown cannot say, would be lost where the list itself is. */
function requireOther({ base, path, shown }: WriteTarget, source: string): void {
  if (join(base, path) !== source) return;
  throw new RalphError("config", {
    message: `${shown} is the task list itself. Nothing was written.`,
    remedy: "Name another file with `--output`.",
  });
}
