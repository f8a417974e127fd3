import type { SessionState } from "../../core/state/session-state.ts";
import { renderStamp } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderCosts } from "./cost.ts";
import { renderFailedTasks } from "./failed-tasks.ts";
import { renderHead, sessionVerdict } from "./head.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import { renderPage } from "./page.ts";
import { renderRemainingWork } from "./remaining-work.ts";
import { type ReportInput, type ReportModel, reportModelOf } from "./report-model.ts";
import { bytesOf, maxLines, renderTaskList } from "./tasks.ts";

/** What a browser shows at once and a mail takes; style, frame and the markup around each task stay below the rest of 2 MB. */
const maxBytes = 1_700_000;

/**
 * A session as one HTML page for people: what was asked, what came of it, what failed, what proves it. It needs no
 * other file, runs nothing, and no text of an agent, a list or a gate does anything in it. 2 MB at most.
 */
export function renderHtmlReport(state: SessionState, given: ReportInput): string {
  const story = reportModelOf(state, given);
  const { project, session_id } = state.session;
  const names = [plainLine(project, 80), `ralph session ${plainLine(session_id, 60)}`];
  const title = `${sessionVerdict(story).word}: ${names.join(", ")}`;
  return renderPage({ title, body: renderBody(story) });
}

function renderBody(story: ReportModel): Html {
  const trouble = renderFailedTasks(story);
  const costs = renderCosts(story);
  const missing = renderRemainingWork(story);
  const facts = renderFacts(story);
  const head = renderHead(story);
  const others = [head, trouble, costs, missing, facts];
  const used = others.reduce((sum, part) => sum + (part ? bytesOf(part) : 0), 0);
  const places: [name: string, id: string, part: Html | undefined][] = [
    ["What stopped", "stopped", trouble],
    ["Tasks", "tasks", renderTaskList(story, maxBytes - used)],
    ["Time and money", "cost", costs],
    ["What is missing", "missing", missing],
    ["Where and with what", "facts", facts],
  ];
  const parts = places.filter(([, , part]) => part !== undefined);
  return html`
    <main class="${story.tasks.length > maxLines ? "large" : "small"}">
    ${head}
    <nav aria-label="Parts"><ul>${parts.map(
      ([name, id]) => html`<li><a href="#${id}">${name}</a></li>`,
    )}</ul></nav>
    ${parts.map(([, , part]) => part)}
    </main>
    <footer>Made by ralph from the journal of the session and from nothing else. Times are UTC.</footer>`;
}

/** Where it happened and with what, and how it can be checked. */
export function renderFacts({ state, summary, journal }: ReportModel): Html {
  const { session, startedAt, end } = state;
  const facts: [string, Content][] = [
    ["Began", `${renderStamp(startedAt)} UTC`],
    ["Ended", end ? `${renderStamp(end.at)} UTC` : "not"],
    ["Branch", code(summary.branch)],
    ["Start commit", code(session.start.commit)],
    ["Now at", code(state.head)],
    ["Task list", code(session.source.path)],
    ["Configuration", code(session.config_path)],
    ["Sandbox", session.sandbox === "off" ? "none" : session.sandbox],
    ["Programs", programs(session.versions)],
    ["Journal", journal === undefined ? "not known" : code(journal)],
  ];
  return html`
    <section aria-labelledby="facts"><h2 id="facts">Where and with what</h2>
    <dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
    <p class="quiet">Check what is claimed here with <code>ralph audit ${isolate(session.session_id, 60)}</code>.</p>
    </section>`;
}

const code = (text: string): Html => html`<code>${isolate(text)}</code>`;

function programs(versions: Readonly<Record<string, string>>): Content {
  const known = Object.entries(versions).slice(0, 20);
  const words = known.map(([name, version]) => `${name} ${version}`).join(", ");
  return words === "" ? "not known" : isolate(words, 800);
}
