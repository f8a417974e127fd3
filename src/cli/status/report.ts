import { resolve } from "node:path/posix";
import type { Command } from "commander";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { RalphError } from "../../error.ts";
import { journalFile, replayJournal } from "../../journal/journal.ts";
import { digestOf } from "../../journal/line.ts";
import type { Files } from "../../platform/system.ts";
import { locateProject } from "../../session/open/locate-project.ts";
import { pageStart } from "../../views/html/page.ts";
import { renderHtmlReport } from "../../views/html/report.ts";
import { renderReport } from "../../views/summary/report-markdown.ts";
import { summarize } from "../../views/summary/summary.ts";
import { type Action, addAction, type CommandContext, type CommandHost } from "../core/command.ts";
import { requireSession } from "../core/read-session.ts";
import { replaceGenerated } from "../core/replace-generated.ts";
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
export function addReport(program: Command, host: CommandHost): void {
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
  addAction(command, host, report);
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
  { file, reported }: { file: string; reported: ReportedSession },
): Promise<void> {
  const text = renderHtmlReport(reported.state, reported);
  const target = file === "-" ? null : file;
  if (target !== null) {
    const path = resolve(directory, target);
    await replaceGenerated(system, { path, text, start: pageStart, example: "report.html" });
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

/** A session as its journal tells it, wherever that lies. */
interface ReportedSession {
  state: SessionState;
  events: readonly RunEvent[];
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** Some process works on it now. */
  isAlive: boolean;
}

/** The session that is named by its id or by a folder with a bundle; else the one that runs, else the last. */
async function readReported(
  { system, directory }: CommandContext,
  named: string | undefined,
): Promise<ReportedSession> {
  // A bundle was made elsewhere: where it is read there need be no repository.
  const bundle = named && (await readBundle(system.files(resolve(directory, named))));
  if (bundle) return bundle;
  const { store } = await locateProject(system, directory);
  const { state, history, journal, owner } = await requireSession(store, named);
  const events = history.map(({ event }) => event);
  return { state, events, journal, isAlive: owner !== undefined };
}

async function readBundle(files: Files): Promise<ReportedSession | undefined> {
  if (!(await files.stat(journalFile))) return undefined;
  const events: RunEvent[] = [];
  const replay = await replayJournal(files, (event) => void events.push(event));
  return replay && { state: replay.state, events, journal: digestOf(replay.end), isAlive: false };
}
