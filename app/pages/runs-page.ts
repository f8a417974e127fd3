import { plainLine } from "../../src/text/plain-text.ts";
import { type Html, html } from "../../src/views/html/html.ts";
import { isolate, withCode } from "../../src/views/html/labels.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { endOfDay, findRuns, pageSize, parseNoteKey, renderNoteKey } from "./find-runs.ts";
import { notFoundPage, renderAppPage } from "./frame/frame.ts";
import {
  costOf,
  renderAgo,
  renderRunStatus,
  runsPath,
  tasksOf,
  timeOf,
  titleOf,
} from "./run-labels.ts";
import { type RunsChoice, readChoice, renderRunsFilter, runFilters } from "./runs-filter.ts";
import type { PageParts, Visit } from "./visit.ts";

/** `/`: runs, newest first, filtered by repository, status and day. */
export async function runsPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories, asked } = visit;
  const choice = readChoice(asked.query);
  const only = findByName(repositories, choice.repository);
  if (choice.repository !== "" && !only) return notFoundPage(session);
  const wanted = only ? new Map([[only.place.id, only]]) : repositories;
  const before = parseNoteKey(asked.query.get("before")) ?? endOfDay(choice.until);
  const statuses = runFilters.get(choice.state)?.statuses;
  const found = await findRuns(parts.notes, {
    ...{ repositories: wanted, statuses, before, limit: pageSize },
  });
  const links = linksFor(choice);
  const older = found.next && runsPath({ ...links, before: renderNoteKey(found.next) });
  const isWhole = Object.keys(links).length === 0 && !before;
  const main = html`
    <h1>${before ? "Older runs" : "Runs"}</h1>
    ${renderRunsFilter(visit, choice)}
    ${found.runs.length > 0 ? renderRuns(parts, found.runs) : renderNone(isWhole)}
    ${renderPaging({ newest: before && runsPath(links), older })}`;
  const title = choice.repository ? `Runs of ${choice.repository}` : "Runs";
  return renderAppPage({ title, main, session, here: "/" });
}

/** GitHub ignores the case of names. */
function findByName(repositories: Visit["repositories"], name: string) {
  const wanted = name.toLowerCase();
  return [...repositories.values()].find(({ place }) => place.repository.toLowerCase() === wanted);
}

const linksFor = ({ repository, state }: RunsChoice): Record<string, string> => ({
  ...(repository && { repository }),
  ...(state && { state }),
});

type Paging = { newest: string | undefined; older: string | undefined };

function renderPaging({ newest, older }: Paging): Html | undefined {
  if (newest === undefined && older === undefined) return undefined;
  return html`
    <nav class="pages" aria-label="Older and newer runs">
    ${newest && html`<a class="button" href="${newest}">Newest runs</a>`}
    ${older && html`<a class="button" href="${older}" rel="next">Older runs</a>`}</nav>`;
}

const renderRuns = (parts: PageParts, runs: readonly DispatchedRun[]): Html =>
  html`<ol class="list">${runs.map((run) => renderRun(parts, run))}</ol>`;

function renderNone(isWhole: boolean): Html {
  const how = "A label on an issue starts a run, and so does the comment `/ralph run`.";
  return isWhole
    ? html`<p class="note">There are no runs here yet. ${withCode(how)}</p>`
    : html`<p class="note">No runs match. <a href="/">All runs</a></p>`;
}

function renderRun({ links, clock }: PageParts, run: DispatchedRun): Html {
  const { request, words, place } = run;
  const actor = request.actor?.login;
  const beside = [links.pull(run), links.workflow(run), actor && html`for ${isolate(actor, 100)}`];
  return html`
    <li class="run">
    <h2><a href="/runs/${run.id}">${isolate(titleOf(run), 80)}</a></h2>
    ${renderRunStatus(run)}
    <p class="line figures-line">${figuresOf(run, clock.now())}</p>
    <p class="line quiet"><a href="${runsPath({ repository: place.repository })}">${isolate(place.repository, 210)}</a>
    ${beside.map((each) => each && html`<span>${each}</span>`)}</p>
    ${words && html`<p class="quiet">${withCode(plainLine(words, 200))}</p>`}
    </li>`;
}

function figuresOf(run: DispatchedRun, now: number): Html {
  const { tasks, cost_usd: usd, started_at: at } = run;
  const tone = (known: unknown) => (known === undefined ? "quiet" : "");
  return html`
    <span class="${tone(tasks)}">${tasksOf(run)}</span><span class="${tone(usd)}">${costOf(run)}</span>
    <span>${timeOf(run, now)}</span><span class="quiet">${renderAgo(at, now)}</span>`;
}
