import { resolve } from "node:path/posix";
import type { Command } from "commander";
import { RalphError } from "../../error.ts";
import { pageStart } from "../../views/html/page.ts";
import { renderHtmlReport } from "../../views/html/report.ts";
import { renderReport } from "../../views/summary/report-markdown.ts";
import { summarize } from "../../views/summary/summary.ts";
import { act, type CommandHost } from "../core/act.ts";
import type { Action, CommandContext } from "../core/command.ts";
import { replaceOwn } from "../core/replace-own.ts";
import { type Reported, readReported } from "./read-reported.ts";
import { printSupport } from "./support.ts";

type ReportOptions = {
  markdown?: boolean;
  html?: string;
  support?: string | true;
  session?: string;
};

const help = `
The HTML page is one file that needs no other and runs nothing: it can be
mailed, or opened on a phone. It replaces an older one of its kind only.

Examples:
  ralph report > report.md            outcome, tasks, proofs, what stopped it
  ralph report --html report.html     the same and when what was done, as a page
  ralph report ./session-artifact     of a bundle, wherever it comes from
  ralph report --support support.txt  versions, configuration, last events, scan`;

/** `ralph report`: a session told for people, on stdout or as a page. */
export function addReport(program: Command, outside: CommandHost): void {
  const command = program
    .command("report")
    .summary("a session's report, in Markdown or as a page")
    .description("Tells what a session did and what proves it, for a person to read.")
    .argument("[session]", "a session's id, or a folder with a bundle; default: the last session")
    .option("--markdown", "in Markdown (this is how it is printed anyway)")
    .option("--session <id>", "another session than the running or last one")
    .option("--html <file>", "as one HTML file; - for stdout")
    .option("--support [file]", "a text for a bug report, without secrets, prompts and outputs")
    .addHelpText("after", help);
  act(command, outside, report);
}

const report: Action<ReportOptions> = async (context, options) => {
  const { output, args } = context;
  const { support, html } = options;
  const session = args[0] ?? options.session;
  refuseUnfit(options);
  if (support !== undefined) return printSupport(context, { file: support, session });
  const reported = await readReported(context, session);
  const { state, events } = reported;
  if (html !== undefined) await showPage(context, { file: html, reported });
  else if (output.wantsJson) output.json(summarize(state, events));
  else output.result(renderReport(state).trimEnd());
  return 0;
};

async function showPage(
  { system, directory, output }: CommandContext,
  { file, reported }: { file: string; reported: Reported },
): Promise<void> {
  const text = renderHtmlReport(reported.state, reported);
  const target = file === "-" ? null : file;
  if (target !== null) {
    const path = resolve(directory, target);
    await replaceOwn(system, { path, text, start: pageStart, example: "report.html" });
  }
  const { session_id } = reported.state.session;
  if (output.wantsJson) output.json({ file: target, session_id, ...(target === null && { text }) });
  else output.result(target === null ? text.trimEnd() : `${target} tells session ${session_id}.`);
}

function refuseUnfit({ html, markdown, support }: ReportOptions): void {
  const isEmpty = html === "";
  const kinds = [html !== undefined, markdown, support !== undefined].filter(Boolean).length;
  if (!isEmpty && kinds < 2) return;
  throw new RalphError("config", {
    message: isEmpty
      ? "--html needs the name of a file."
      : "--html, --markdown and --support are different reports.",
    remedy: "Ask for one, as in `ralph report --html report.html`.",
  });
}
