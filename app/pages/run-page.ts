import { shortCommit } from "../../src/text/figures.ts";
import { plainText } from "../../src/text/plain-text.ts";
import { type Content, type Html, html } from "../../src/views/html/html.ts";
import {
  badgeOf,
  head,
  isolate,
  renderBadge,
  renderFigures,
  renderTable,
  withCode,
} from "../../src/views/html/labels.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import { type RunReport, readRunReport } from "../runs/run-report.ts";
import { statusOf } from "../runs/run-status.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { renderTimeline } from "./audit-trail.ts";
import { findAskedRun } from "./find-runs.ts";
import { notFoundPage, renderAppPage } from "./frame/frame.ts";
import { renderLiveJobs } from "./live-jobs.ts";
import { renderActions } from "./run-actions.ts";
import { costOf, renderAgo, runsPath, tasksOf, timeOf, titleOf } from "./run-labels.ts";
import type { PageParts, Visit } from "./visit.ts";

/** `/runs/<id>`: everything the App knows about a run. */
export async function runPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories } = visit;
  const run = await findAskedRun(parts, visit);
  if (!run) return notFoundPage(session);
  const title = `${titleOf(run)} of ${run.place.repository}`;
  const timeline = await renderTimeline(parts, run);
  const mayAct = repositories.get(run.place.id)?.mayWrite === true;
  const report = await readRunReport(parts.notes, run.id);
  const jobs = renderLiveJobs(await parts.liveJobs(run), parts.clock.now());
  const tasks = report && renderTasks(report.tasks);
  const main = [
    renderRun(parts, run, mayAct),
    ...[jobs, tasks, timeline, renderDetails(parts, run), report && renderReport(run)],
  ];
  const hasFrame = report !== undefined;
  return renderAppPage({ title, main, session, isLive: isOpen(run), hasFrame });
}

/** The session's own report, in a frame in which nothing runs. */
const renderReport = ({ id }: DispatchedRun): Html => html`
  <section aria-labelledby="report"><h2 id="report">Report of the session</h2>
  <p><a href="/runs/${id}/report">The report alone</a></p>
  <iframe class="report" src="/runs/${id}/report" title="Report of the session" sandbox="" loading="lazy"></iframe></section>`;

const maxMessage = 2000;
function renderRun({ links, clock }: PageParts, run: DispatchedRun, mayAct: boolean): Html {
  const { mark, headline, tone, next } = statusOf(run);
  const { words, pull, place } = run;
  return html`
    <p class="quiet"><a href="${runsPath({ repository: place.repository })}">Runs of ${isolate(place.repository, 210)}</a></p>
    <h1>${isolate(titleOf(run), 200)}</h1>
    <section class="verdict ${tone}" aria-label="Status">
    <p class="word"><span aria-hidden="true">${mark}</span> ${isolate(headline, 300)}</p>
    ${words && html`<p>${withCode(plainText(words.slice(0, maxMessage)))}</p>`}
    ${next && html`<p class="next">${withCode(next)}</p>`}
    ${pull && html`<p class="next">${links.pull(run)}</p>`}
    </section>
    ${renderFigures(figuresOf(run, clock.now()))}
    ${mayAct && renderActions(run)}`;
}

function renderDetails({ links, clock }: PageParts, run: DispatchedRun): Html {
  return html`
    <section aria-labelledby="facts"><h2 id="facts">Details</h2>
    <dl class="facts">${factsOf(run, { links, now: clock.now() }).map(
      ([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`,
    )}</dl></section>`;
}

const figuresOf = (run: DispatchedRun, now: number): [string, string][] => [
  ["Passed", tasksOf(run)],
  ["Cost", costOf(run)],
  ["Time", timeOf(run, now)],
];

const triggers: Record<DispatchedRun["request"]["trigger"], string> = {
  label: "a label on an issue",
  "autopilot-label": "the autopilot's label on an issue",
  "start-command": "a comment",
  "report-push": "a pushed report",
  dashboard: "the dashboard issue",
  schedule: "the schedule",
};

const waits = {
  room: "room under the limits of the repository",
  claim: "another run's claim on the same item",
} as const;

function factsOf(
  run: DispatchedRun,
  { links, now }: { links: PageParts["links"]; now: number },
): [string, Content][] {
  const { request, workflow, claim, after, waits_for: wait } = run;
  const attempt = workflow && workflow.attempt > 1 ? `, attempt ${workflow.attempt}` : "";
  return [
    ["Repository", links.repository(run)],
    ["Command", code(request.command)],
    ["Item", code(request.item)],
    ["Issue", links.issue(run)],
    ["Requested by", request.actor && isolate(request.actor.login, 100)],
    ["Trigger", triggers[request.trigger]],
    ["Waiting for", wait && waits[wait]],
    ["Workflow", workflow && html`${links.workflow(run)} <code>${workflow.run}</code>${attempt}`],
    ["Continues", after && html`workflow run <code>${after}</code>`],
    ["Pull request", links.pull(run)],
    ["Branch", run.branch && code(run.branch)],
    ["Claim", claim && html`${code(claim.item)} at ${code(shortCommit(claim.commit))}`],
    ["Started", renderAgo(run.started_at, now)],
    ["Last change", renderAgo(run.changed_at, now)],
    ["Run", code(run.id)],
  ];
}

const code = (text: string): Html => html`<code>${isolate(text)}</code>`;

/** The tasks of a run's last session, each with its state and what proves it. */
export function renderTasks(tasks: RunReport["tasks"]): Html | undefined {
  const rows = tasks.map(
    ({ id, title, state, proof }) => html`
      <tr><th scope="row"><code>${isolate(id, 40)}</code></th><td>${isolate(title, 200)}</td>
      <td>${renderBadge(badgeOf(state), isolate(state, 40))}</td><td>${isolate(proof, 600)}</td></tr>`,
  );
  const columns = ["Task", "Title", "State", "Proof"].map(head);
  const table = renderTable({ caption: "Tasks of the last session", head: columns }, rows);
  return (
    table && html`<section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>${table}</section>`
  );
}

/**
 * Nothing runs, nothing is loaded or sent, and the page has no origin: a report quotes agents and repositories. Its own
 * policy names the digest of its style, which another version of the App may have rendered.
 */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/** `/runs/<id>/report`: the report of a run's last session, as the App has rendered it from the journal. */
export async function reportPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const run = await findAskedRun(parts, visit);
  const report = run && (await readRunReport(parts.notes, run.id));
  if (!report) return notFoundPage(visit.session);
  const headers = {
    "content-security-policy": policy,
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
  };
  return { status: 200, type: "text/html", body: report.html, headers };
}
