import type { Command } from "commander";
import { RalphError } from "../error.ts";
import { locateProject } from "../loop/locate-project.ts";
import { renderReport } from "../surfaces/views/report-markdown.ts";
import { summarize } from "../surfaces/views/summary.ts";
import { act, type Outside } from "./act.ts";
import type { Action } from "./command.ts";
import { requireSession } from "./read-session.ts";

type ReportOptions = { markdown?: boolean; html?: string; support?: boolean; session?: string };

const help = `
Example:
  ralph report > report.md   outcome, tasks, proofs, gates, what stopped it`;

/** `ralph report`: a session told for people, on stdout. */
export function addReport(program: Command, outside: Outside): void {
  const command = program
    .command("report")
    .summary("a session's report, in Markdown")
    .description("Prints what a session did and what proves it, as Markdown for a person to read.")
    .option("--markdown", "in Markdown (this is how it is printed anyway)")
    .option("--session <id>", "another session than the running or last one")
    .option("--html <file>", "as one HTML file (later)")
    .option("--support", "with what a maintainer needs to help (later)")
    .addHelpText("after", help);
  act(command, outside, report);
}

const report: Action<ReportOptions> = async ({ system, directory, output }, options) => {
  refuseLater(options);
  const { store } = await locateProject(system, directory);
  const { run } = await requireSession(store, options.session);
  if (output.wantsJson) output.json(summarize(run));
  else output.result(renderReport(run).trimEnd());
  return 0;
};

function refuseLater({ html, support }: ReportOptions): void {
  const asked = [...(html === undefined ? [] : ["--html"]), ...(support ? ["--support"] : [])];
  if (asked.length === 0) return;
  throw new RalphError("config", {
    message: `${asked.join(" and ")} is not available yet.`,
    remedy: "Run `ralph report` for the report in Markdown.",
  });
}
