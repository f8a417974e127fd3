import { relative, resolve } from "node:path/posix";
import type { Command } from "commander";
import { RalphError, renderProblem } from "../../error.ts";
import {
  renderPrdFile,
  withOriginalIds,
  withStrictBranch,
} from "../../scaffold/write/render-prd.ts";
import type { Prd } from "../../schema/tasks/prd.ts";
import { findRoot } from "../../session/open/locate-project.ts";
import type { AcceptedSource, Refusal } from "../../sources/accept-source.ts";
import { isMarkdown, parseMarkdownTasks } from "../../sources/markdown-tasks.ts";
import { machineFile, readSource } from "../../sources/read-source.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { documentSettings } from "./document-settings.ts";
import { importJson, renderImport } from "./import-text.ts";
import { requireName, targetAt, writeTargets } from "./write-targets.ts";

type ImportOptions = {
  cr?: string;
  prd?: string;
  output?: string;
  groupByCategory?: boolean;
  preserveIds?: boolean;
  dryRun?: boolean;
  force?: boolean;
};

const help = `
Reads the first \`\`\`json block below "## Task List":

  [
    { "id": "CR-AUTH-1", "category": "backend", "description": "Add a login",
      "steps": ["POST /login answers 200"], "passes": false }
  ]

Only description and steps are required. The title becomes the project, the
first paragraph of "## Summary" its description, and the file name the branch.
Ids become T-001, T-002, ... in the order of the numbers they end with; notes
and metadata keep the original ids. For plain prose, use \`ralph autopilot
--report FILE\`, which plans tasks from it.

Examples:
  ralph import --cr changes/CR-AUTH.md --dry-run
  ralph import --cr changes/CR-AUTH.md --group-by-category
  ralph import --prd tasks/prd-login.md --output .ralph/next.json`;

/** `ralph import`: writes .ralph/prd.json from a task list in Markdown (compatibility 1.19). */
export function addImport(program: Command, host: CommandHost): void {
  const command = program
    .command("import")
    .summary("make a task list from a change request in Markdown")
    .description(
      "Writes .ralph/prd.json from the task list in a change request or a requirements document. You can also run a change request directly: `ralph run --cr FILE`.",
    )
    .option("--cr <file>", "a change request")
    .option("--prd <file>", "another Markdown file with a task list")
    .option("-o, --output <file>", "file to write (the configured list, .ralph/prd.json)")
    .option("--group-by-category", "set priorities by category: setup first, documentation last")
    .option("--preserve-ids", "keep the original ids; `ralph run` does not accept such a list")
    .option("--dry-run", "show the tasks and write nothing")
    .option("-f, --force", "replace an existing list; the old one stays as .bak")
    .addHelpText("after", help);
  addAction(command, host, importTasks);
}

const importTasks: Action<ImportOptions> = async (context, options) => {
  const { system, output, directory } = context;
  const root = await findRoot(system, directory);
  const settings = await documentSettings(system, root, context.globals.config);
  const shown = sourceOf(options);
  if (settings.warning) output.problem(settings.warning);
  if (options.output) requireName(options.output, "JSON");
  const read = await readTasks(context, { shown, root, options, prefix: settings.branchPrefix });
  const prd = options.preserveIds ? withOriginalIds(read.data) : read.data;
  const path = options.output ? resolve(directory, options.output) : resolve(root, settings.tasks);
  const target = targetAt(path, { root, directory, content: renderPrdFile(prd) });
  const { hasConfig } = settings;
  const outcome = { prd, source: shown, target, warnings: read.warnings, options, hasConfig };
  const other = "name another file with `--output`";
  const written = options.dryRun
    ? undefined
    : await writeTargets(system, [target], { force: options.force === true, other });
  for (const warning of read.warnings) output.problem(`Warning: ${renderProblem(warning)}`);
  return output.answer(importJson(outcome, written), renderImport(outcome, written));
};

function sourceOf({ cr, prd }: ImportOptions): string {
  const [file, ...more] = [cr, prd].filter((each) => each !== undefined && each !== "");
  if (file === undefined || more.length > 0) {
    throw new RalphError("config", {
      message: file === undefined ? "No file to import." : "Only one file can be imported.",
      remedy: "Name a change request with `--cr FILE`, or another document with `--prd FILE`.",
    });
  }
  if (isMarkdown(file)) return file;
  throw new RalphError("config", {
    message: `${file} is not a Markdown file (.md).`,
    remedy: `For a JSON list, use \`ralph migrate ${file} --from user-stories\`.`,
  });
}

async function readTasks(
  { system, directory }: CommandContext,
  given: { shown: string; root: string; options: ImportOptions; prefix: string },
): Promise<AcceptedSource<Prd>> {
  const { shown, root, options, prefix } = given;
  const path = resolve(directory, shown);
  const remedy = `Fix ${shown} at the places above, then import it again.`;
  const refusal: Refusal = { reason: "source", file: shown, remedy };
  const missing = { ...refusal, remedy: "Name an existing file." };
  const bytes = await readSource(machineFile(system, path), { maxBytes: 1024 * 1024, missing });
  const accepted = parseMarkdownTasks(bytes, refusal, {
    branchPrefix: prefix,
    source: options.cr ? "imported-cr" : "imported-prd",
    groupByCategory: options.groupByCategory,
  });
  if (accepted.data.tasks.length === 0) throw noTasks(shown);
  // The path of the source is relative to the project, not to the working directory.
  const metadata = { ...accepted.data.metadata, sourceFile: relative(root, path) };
  return { ...accepted, data: withStrictBranch({ ...accepted.data, metadata }) };
}

const noTasks = (file: string) =>
  new RalphError("source", {
    message: `The task list of ${file} is empty. Nothing was written.`,
    remedy: "Add an entry with id, category, description, steps and passes: false.",
    problems: [{ file, message: "the task list is empty" }],
  });
