import { resolve } from "node:path/posix";
import type { Command } from "commander";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { readPictures } from "../../entry/session-page.ts";
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
The HTML page is a single file without scripts: you can mail it or open it on a
phone. It only replaces an older report page.

Examples:
  ralph report > report.md            outcome, tasks, proofs, stop reason
  ralph report --html report.html     the same with a timeline, as a page
  ralph report ./session-artifact     report of a bundle from any machine
  ralph report --support support.txt  text for a bug report`;

/** `ralph report`: prints the report of a session, or writes it as an HTML page. */
export function addReport(program: Command, host: CommandHost): void {
  const command = program
    .command("report")
    .summary("report a session in Markdown or HTML")
    .description("Reports the work of a session and its proof.")
    .argument("[session]", "id of a session, or folder with a bundle; default: the last session")
    .option("--markdown", "print Markdown (the default)")
    .option("--session <id>", "report this session instead of the running or last one")
    .option("--html <file>", "write one HTML file; - for stdout")
    .option("--support [file]", "write a text for a bug report, without secrets or prompts")
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
  if (html !== undefined) return showPage(context, { file: html, reported });
  return output.answer(summarize(state, events), renderReport(state).trimEnd());
};

async function showPage(
  { system, directory, output }: CommandContext,
  { file, reported }: { file: string; reported: ReportedSession },
): Promise<number> {
  const pictures = await readPictures(reported.files, reported.state);
  const text = renderHtmlReport(reported.state, { ...reported, pictures });
  const { session_id } = reported.state.session;
  if (file === "-") return output.answer({ file: null, session_id, text }, text.trimEnd());
  const path = resolve(directory, file);
  await replaceGenerated(system, { path, text, start: pageStart, example: "report.html" });
  return output.answer({ file, session_id }, `${file} holds the report of session ${session_id}.`);
}

function refuseUnfit({ html, markdown, support }: ReportOptions): void {
  const isEmpty = html === "";
  const kinds = [html !== undefined, markdown, support !== undefined].filter(Boolean).length;
  if (!isEmpty && kinds < 2) return;
  throw new RalphError("config", {
    message: isEmpty
      ? "--html needs a file name."
      : "--html, --markdown and --support exclude each other.",
    remedy: "Use one of them, for example `ralph report --html report.html`.",
  });
}

/** A session, read from a journal in the store or in a bundle. */
interface ReportedSession {
  state: SessionState;
  events: readonly RunEvent[];
  /** `seq:hash` of the journal's last line. */
  journal: string;
  /** Whether a process runs it now. */
  isAlive: boolean;
  /** The session's folder in the store, or the bundle. */
  files: Files;
}

/** The session with this id or in this bundle folder; else the running one, else the last. */
async function readReported({ system, directory }: CommandContext, named: string | undefined) {
  // A bundle needs no repository.
  const bundle = named && (await readBundle(system.files(resolve(directory, named))));
  if (bundle) return bundle;
  const { store } = await locateProject(system, directory);
  const { id, state, history, journal, owner } = await requireSession(store, named);
  const events = history.map(({ event }) => event);
  return { state, events, journal, isAlive: owner !== undefined, files: store.session(id) };
}

async function readBundle(files: Files): Promise<ReportedSession | undefined> {
  if (!(await files.stat(journalFile))) return undefined;
  const events: RunEvent[] = [];
  const replay = await replayJournal(files, (event) => void events.push(event));
  if (!replay) return undefined;
  const { state, end } = replay;
  return { state, events, journal: digestOf(end), isAlive: false, files };
}
