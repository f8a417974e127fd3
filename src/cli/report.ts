import type { Command } from "commander";
import { RalphError } from "../error.ts";
import { locateProject } from "../loop/locate-project.ts";
import { renderReport } from "../surfaces/views/report-markdown.ts";
import { summarize } from "../surfaces/views/summary.ts";
import { act, type Outside } from "./act.ts";
import type { Action } from "./command.ts";
import { requireSession } from "./read-session.ts";
import { printSupport } from "./support.ts";

type ReportOptions = {
  markdown?: boolean;
  html?: string;
  support?: string | true;
  session?: string;
};

const help = `
Examples:
  ralph report > report.md            outcome, tasks, proofs, what stopped it
  ralph report --support support.txt  versions, configuration, last events, scan`;

/** `ralph report`: a session told for people, on stdout. */
export function addReport(program: Command, outside: Outside): void {
  const command = program
    .command("report")
    .summary("a session's report, in Markdown")
    .description("Prints what a session did and what proves it, as Markdown for a person to read.")
    .option("--markdown", "in Markdown (this is how it is printed anyway)")
    .option("--session <id>", "another session than the running or last one")
    .option("--html <file>", "as one HTML file (later)")
    .option("--support [file]", "a text for a bug report, without secrets, prompts and outputs")
    .addHelpText("after", help);
  act(command, outside, report);
}

const report: Action<ReportOptions> = async (context, options) => {
  const { system, directory, output } = context;
  refuseLater(options);
  const { support, session } = options;
  if (support !== undefined) return printSupport(context, { file: support, session });
  const { store } = await locateProject(system, directory);
  const { run, history } = await requireSession(store, session);
  const events = history.map(({ event }) => event);
  if (output.wantsJson) output.json(summarize(run, events));
  else output.result(renderReport(run).trimEnd());
  return 0;
};

function refuseLater({ html }: ReportOptions): void {
  if (html === undefined) return;
  throw new RalphError("config", {
    message: "--html is not available yet.",
    remedy: "Run `ralph report` for the report in Markdown.",
  });
}
