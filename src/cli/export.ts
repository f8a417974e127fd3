import { resolve } from "node:path/posix";
import { type Command, Option } from "commander";
import { RalphError } from "../error.ts";
import { findRoot } from "../loop/locate-project.ts";
import { nameOf } from "../model/foreign/change-request.ts";
import { renderRequest } from "../surfaces/documents/render-request.ts";
import { lossesOf } from "../surfaces/documents/request-list.ts";
import { readTaskFile, type TaskFile } from "../system/task-file.ts";
import { act, type Outside } from "./act.ts";
import type { Action, CommandContext } from "./command.ts";
import { chosenTasks, documentSettings } from "./document-settings.ts";
import { readFields, renderJson } from "./export-json.ts";
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

const help = `
markdown is for reading: the whole list in JSON, and a checklist of what has
passed. cr is a change request, with entries named after the file; notes are
left out and subtasks become steps. json is the list itself, or only some fields
of its tasks.

Examples:
  ralph export > tasks.md
  ralph export --format cr --output changes/CR-AUTH.md
  ralph export --output tasks/prd-login.md --update   list and checklist only
  ralph export --format json --fields id,title,passes`;

/** `ralph export`: the task list as Markdown or JSON (compatibility 1.19). */
export function addExport(program: Command, outside: Outside): void {
  const command = program
    .command("export")
    .summary("write the task list as Markdown or JSON")
    .description(
      "Writes the task list for people or other tools. What it writes in Markdown, `ralph import` takes back: every task with its id, texts, criteria, order and state.",
    )
    .option("-p, --prd-json <file>", "task list (.ralph/prd.json)")
    .addOption(
      new Option("--format <name>", "what to write")
        .choices(["markdown", "cr", "json"])
        .default("markdown"),
    )
    .option("-o, --output <file>", "where to write it; default: to the terminal")
    .option("--update", "change an existing file: its block of JSON and its section Progress only")
    .option("--fields <list>", "with --format json: only these fields of each task")
    .option("-f, --force", "replace an existing file; the old one stays as .bak")
    .addHelpText("after", help);
  act(command, outside, exportTasks);
}

const exportTasks: Action<ExportOptions> = async (context, options) => {
  const { system, output, directory } = context;
  refuseUnfit(options);
  const fields = readFields(options.fields);
  const root = await findRoot(system, directory);
  const { source } = await documentSettings(system, root, context.globals.config);
  const from = await chosenTasks(system, root, { source, tasks: options.prdJson || undefined });
  const read = await readTaskFile(system.files(root), from);
  if (read.prd.tasks.length === 0) throw noTasks(from);
  if (options.format === "cr") {
    for (const loss of lossesOf(read.prd)) output.problem(`Warning: ${loss}`);
  }
  const given = { root, from, read, fields };
  if (options.output === undefined) {
    output.result(render(context, options, given).trimEnd());
    if (output.wantsJson) output.json({ source: from, text: render(context, options, given) });
    return 0;
  }
  const target = await toTarget(context, { ...options, output: options.output }, given);
  const force = options.force === true;
  const other = "name another file, or use `--update` to change only its task list";
  if (options.update) await system.files(target.base).write(target.path, target.content);
  else await writeTargets(system, [target], { force, other });
  const count = read.prd.tasks.length;
  if (output.wantsJson) output.json({ source: from, output: target.shown, tasks: count });
  else output.result(`${target.shown}: ${count} tasks from ${from}.`);
  return 0;
};

type Given = { root: string; from: string; read: TaskFile; fields: readonly string[] | undefined };

function render({ system }: CommandContext, options: ExportOptions, given: Given): string {
  const { read, fields, from } = given;
  const { format, output } = options;
  if (format === "json") return renderJson(read, fields);
  const now = new Date(system.clock.now()).toISOString();
  const name = nameOf(output ?? read.prd.branchName ?? read.prd.project);
  return renderRequest(read.prd, { format, name, source: from, now });
}

async function toTarget(
  context: CommandContext,
  options: ExportOptions & { output: string },
  given: Given,
): Promise<WriteTarget> {
  const { directory, system } = context;
  const path = resolve(directory, options.output);
  const place = { root: given.root, directory };
  if (!options.update)
    return targetAt(path, { ...place, content: render(context, options, given) });
  const format = options.format === "cr" ? "cr" : undefined;
  const content = await updateTarget(system, { path, shown: options.output, format }, given.read);
  return targetAt(path, { ...place, content });
}

function refuseUnfit({ format, output, update, fields }: ExportOptions): void {
  const message =
    update && (format === "json" || !output)
      ? "--update changes the task list in a Markdown file, which has to be named."
      : fields !== undefined && format !== "json" && "--fields goes with --format json.";
  if (!message) return;
  throw new RalphError("config", {
    message,
    remedy:
      "For example: `ralph export --output FILE.md --update`, or `ralph export --format json --fields id,passes`.",
  });
}

const noTasks = (file: string) =>
  new RalphError("source", {
    message: `${file} has no tasks. Nothing was written.`,
    remedy: "Add some, or take them from elsewhere with `ralph import`.",
    problems: [{ file, message: "has no tasks" }],
  });
