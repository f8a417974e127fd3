import { resolve } from "node:path/posix";
import { type Command, Option } from "commander";
import { RalphError } from "../../error.ts";
import { findTaskPath } from "../../session/open/find-task-path.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import { readTaskFile } from "../../sources/task-file.ts";
import { counted } from "../../text/figures.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import { documentSettings } from "./document-settings.ts";
import {
  type ExportOptions,
  exportTarget,
  readFields,
  renderExport,
  writeExport,
} from "./export-document.ts";
import { requireName } from "./write-targets.ts";

const help = `
markdown: the whole list as JSON, and a checklist of the tasks. cr: a change
request with entries named after the file, without notes; subtasks become steps.
json: the list itself, or some fields of its tasks.

Examples:
  ralph export > tasks.md
  ralph export --format cr --output changes/CR-AUTH.md
  ralph export --output tasks/prd-login.md --update   list and checklist only
  ralph export --format json --fields id,title,passes`;

/** `ralph export`: the task list as Markdown or JSON (compatibility 1.19). */
export function addExport(program: Command, host: CommandHost): void {
  const command = program
    .command("export")
    .summary("write the task list as Markdown or JSON")
    .description(
      "Writes the task list for people or other tools. `ralph import` reads the Markdown back: every task with its id, texts, criteria, order and state.",
    )
    .option("-p, --prd-json <file>", "task list (.ralph/prd.json)")
    .addOption(
      new Option("--format <name>", "format of the document")
        .choices(["markdown", "cr", "json"])
        .default("markdown"),
    )
    .option("-o, --output <file>", "file to write; default: the terminal")
    .option("--update", "change only the JSON block and the Progress section of a file")
    .option("--fields <list>", "with --format json: write only these fields of each task")
    .option("-f, --force", "replace an existing file; the old one stays as .bak")
    .addHelpText("after", help);
  addAction(command, host, exportTasks);
}

const exportTasks: Action<ExportOptions> = async (context, options) => {
  const { system, output, directory } = context;
  refuseUnfit(options);
  const fields = readFields(options.fields);
  const root = await findRoot(system, directory);
  const { source, warning } = await documentSettings(system, root, context.globals.config);
  if (warning) output.problem(warning);
  const asked = { tasks: options.prdJson || undefined };
  const from = await findTaskPath(system, root, { source, asked });
  const read = await readTaskFile(system.files(root), from);
  if (read.prd.tasks.length === 0) throw noTasks(from);
  const given = { root, from, read, fields };
  if (!options.output) {
    const text = renderExport(context, options, given);
    return output.answer({ source: from, text }, text.trimEnd());
  }
  const target = await exportTarget(context, { ...options, output: options.output }, given);
  await writeExport(context, target, { options, source: resolve(root, from) });
  const tasks = read.prd.tasks.length;
  const text = `${target.shown}: ${counted(tasks, "task")} from ${from}.`;
  return output.answer({ source: from, output: target.shown, tasks }, text);
};

function refuseUnfit({ format, output, update, fields }: ExportOptions): void {
  const message =
    update && (format === "json" || !output)
      ? "--update needs a Markdown file in --output."
      : fields !== undefined && format !== "json" && "--fields needs --format json.";
  if (!message && output) requireName(output, format === "json" ? "JSON" : "Markdown");
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
    remedy: "Add tasks, or import them with `ralph import`.",
    problems: [{ file, message: "has no tasks" }],
  });
