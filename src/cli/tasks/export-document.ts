import { isUtf8 } from "node:buffer";
import { join, resolve } from "node:path/posix";
import { type Problem, RalphError, renderProblem } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { renderPrdFile } from "../../scaffold/write/render-prd.ts";
import { nearest } from "../../schema/base/nearest.ts";
import { requestName } from "../../schema/tasks/foreign/change-request.ts";
import { isForeignList } from "../../schema/tasks/foreign/entries.ts";
import { findTaskBlock } from "../../schema/tasks/foreign/task-block.ts";
import { Task } from "../../schema/tasks/prd.ts";
import { positionAt } from "../../sources/parsed-text.ts";
import { machineFile, readSource } from "../../sources/read-source.ts";
import type { TaskFile } from "../../sources/task-file.ts";
import { renderRequest } from "../../views/documents/render-request.ts";
import { lossesOf, type RequestFormat } from "../../views/documents/request-list.ts";
import { formatOf, updateRequest } from "../../views/documents/update-request.ts";
import type { CommandContext } from "../core/command.ts";
import { targetAt, type WriteTarget, writeTargets } from "./write-targets.ts";

export type ExportOptions = {
  prdJson?: string;
  format: "markdown" | "cr" | "json";
  output?: string;
  update?: boolean;
  fields?: string;
  force?: boolean;
};

type ExportSource = {
  root: string;
  from: string;
  read: TaskFile;
  fields: readonly string[] | undefined;
};

/** The document as text. Warns about what the format cannot hold. */
export function renderExport(
  context: CommandContext,
  options: ExportOptions,
  given: ExportSource,
): string {
  const { read, fields, from } = given;
  const { format, output } = options;
  if (format === "json") return renderFieldsJson(read, fields);
  warnAboutLosses(context, format, read);
  const now = new Date(context.system.clock.now()).toISOString();
  const name = requestName(output ?? read.prd.branchName ?? read.prd.project);
  return renderRequest(read.prd, { format, name, source: from, now });
}

function warnAboutLosses({ output }: CommandContext, format: string, { prd }: TaskFile): void {
  const losses = format === "cr" ? lossesOf(prd) : [];
  for (const loss of losses) output.problem(`Warning: ${loss}`);
}

/** The file to write, with its whole text. */
export async function exportTarget(
  context: CommandContext,
  options: ExportOptions & { output: string },
  given: ExportSource,
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
  warnAboutLosses(context, kept, given.read);
  return targetAt(path, { ...place, content });
}

/** Writes the document, but never over the list it was made from. */
export async function writeExport(
  { system }: CommandContext,
  target: WriteTarget,
  { options, source }: { options: ExportOptions; source: string },
): Promise<void> {
  const { base, path, content } = target;
  if (options.update) return system.files(base).write(path, content);
  requireOther(target, source);
  const other = "name another file, or use `--update` to change only its task list";
  await writeTargets(system, [target], { force: options.force === true, other });
}

/** Overwriting the list would lose the fields that the document leaves out. */
function requireOther({ base, path, shown }: WriteTarget, source: string): void {
  if (join(base, path) !== source) return;
  throw new RalphError("config", {
    message: `${shown} is the task list itself. Nothing was written.`,
    remedy: "Name another file with `--output`.",
  });
}

const names = Object.keys(Task.shape);

/** Parses `--fields id,title`. Refuses an unknown field and suggests the nearest one. */
export function readFields(list: string | undefined): string[] | undefined {
  if (list === undefined) return undefined;
  const fields = list
    .split(",")
    .map((each) => each.trim())
    .filter(Boolean);
  const unknown = fields.find((field) => !names.includes(field));
  if (fields.length > 0 && unknown === undefined) return [...new Set(fields)];
  const meant = unknown === undefined ? undefined : nearest(unknown, names);
  throw new RalphError("config", {
    message: unknown === undefined ? "--fields is empty." : `A task has no field "${unknown}".`,
    remedy: meant ? `Did you mean "${meant}"?` : `The fields are: ${names.join(", ")}.`,
  });
}

/** A ralph list as it is in its file; any other list converted; with `fields`, only these. */
function renderFieldsJson({ prd, text }: TaskFile, fields: readonly string[] | undefined): string {
  if (fields) return `${JSON.stringify(withFields(prd, fields), null, 2)}\n`;
  const isJson = /^\s*\{/.test(text);
  return isJson && !isForeignList(JSON.parse(text)) ? text : renderPrdFile(prd);
}

function withFields(prd: TaskFile["prd"], fields: readonly string[]): object {
  const { project, branchName, description } = prd;
  const tasks = prd.tasks.map((task) => {
    const pairs = Object.entries(task).filter(([key]) => fields.includes(key));
    return Object.fromEntries(pairs);
  });
  return { project, branchName, description, tasks };
}

/** A Markdown file with its task list replaced and every other byte unchanged; the list keeps its format by default. */
async function updateTarget(
  system: Pick<System, "files">,
  { path, shown, format }: { path: string; shown: string; format: "cr" | undefined },
  { prd }: TaskFile,
): Promise<{ content: string; format: RequestFormat }> {
  const remedy = "Omit `--update` to write the whole file.";
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
    message: `${problem.file} cannot be updated. Nothing was written:\n${renderProblem(problem)}`,
    remedy: "Fix it, or write the whole file with `--force` instead of `--update`.",
    problems: [problem],
  });
