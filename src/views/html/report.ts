import type { SessionState } from "../../core/state/session-state.ts";
import { renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderCosts } from "./cost.ts";
import { renderHead, sessionVerdict } from "./head.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import { renderPage } from "./page.ts";
import { type ReportInput, type ReportModel, reportModelOf } from "./report-model.ts";
import { bytesOf, maxLines, renderTaskList } from "./tasks.ts";
import { renderFailedTasks, renderRemainingWork } from "./unfinished-work.ts";
import { renderVerification } from "./verification.ts";

/** Fits a browser and a mail; style, frame and the markup around each task need less than the rest of 2 MB. */
const maxBytes = 1_700_000;

/**
 * A session as one HTML page: request, outcome, failures, proofs. The page needs no other file and runs no script; text of
 * agents, task lists and gates is escaped. 2 MB at most.
 */
export function renderHtmlReport(state: SessionState, given: ReportInput): string {
  const model = reportModelOf(state, given);
  const { project, session_id } = state.session;
  const names = [plainLine(project, 80), `ralph session ${plainLine(session_id, 60)}`];
  const title = `${sessionVerdict(model).word}: ${names.join(", ")}`;
  return renderPage({ title, body: renderBody(model) });
}

function renderBody(model: ReportModel): Html {
  const head = renderHead(model);
  const others: [name: string, id: string, part: Html | undefined][] = [
    ["What stopped", "stopped", renderFailedTasks(model)],
    ["The program as it runs", "program", renderVerification(model)],
    ["Time and money", "cost", renderCosts(model)],
    ["What is missing", "missing", renderRemainingWork(model)],
    ["Environment", "facts", renderFacts(model)],
  ];
  const used = others.reduce((sum, [, , part]) => sum + (part ? bytesOf(part) : 0), bytesOf(head));
  const tasks = ["Tasks", "tasks", renderTaskList(model, maxBytes - used)] as const;
  const parts = others.toSpliced(1, 0, [...tasks]).filter(([, , part]) => part !== undefined);
  return html`
    <main class="${model.tasks.length > maxLines ? "large" : "small"}">
    ${head}
    <nav aria-label="Parts"><ul>${parts.map(
      ([name, id]) => html`<li><a href="#${id}">${name}</a></li>`,
    )}</ul></nav>
    ${parts.map(([, , part]) => part)}
    </main>
    <footer>Made by ralph from the journal of the session alone. Times are UTC.</footer>`;
}

function renderFacts({ state, summary, journal }: ReportModel): Html {
  const { session, startedAt, end } = state;
  const facts: [string, Content][] = [
    ["Began", `${renderStamp(startedAt)} UTC`],
    ["Ended", end ? `${renderStamp(end.at)} UTC` : "not yet"],
    ["Branch", code(summary.branch)],
    ["Start commit", code(session.start.commit)],
    ["Now at", code(state.head)],
    ["Task list", code(session.source.path)],
    ["Configuration", code(session.config_path)],
    ["Sandbox", session.sandbox === "off" ? "none" : session.sandbox],
    ["Programs", programs(session.versions)],
    ["Journal", journal === undefined ? "unknown" : code(journal)],
  ];
  return html`
    <section aria-labelledby="facts"><h2 id="facts">Environment</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p class="quiet">Check this report with <code>ralph audit ${isolate(session.session_id, 60)}</code>.</p>
    </section>`;
}

const code = (text: string): Html => html`<code>${isolate(text)}</code>`;

function programs(versions: Readonly<Record<string, string>>): Content {
  const known = Object.entries(versions).slice(0, 20);
  const text = known.map(([name, version]) => `${name} ${version}`).join(", ");
  return text === "" ? "unknown" : isolate(text, 800);
}
