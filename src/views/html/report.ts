import type { SessionState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderCosts } from "./cost.ts";
import { renderFacts } from "./facts.ts";
import { renderFailedTasks } from "./failed-tasks.ts";
import { bytesOf } from "./fit.ts";
import { renderHead, sessionVerdict } from "./head.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./page.ts";
import { renderRemainingWork } from "./remaining-work.ts";
import { type ReportInput, type ReportModel, reportModelOf } from "./report-model.ts";
import { maxLines, renderTaskList } from "./tasks.ts";

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
