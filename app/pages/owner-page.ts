import { RalphError } from "../../src/error.ts";
import { dollars } from "../../src/text/figures.ts";
import { plainText } from "../../src/text/plain-text.ts";
import { type Content, type Html, html } from "../../src/views/html/html.ts";
import {
  head,
  isolate,
  numHead,
  renderFigures,
  renderTable,
  withCode,
} from "../../src/views/html/labels.ts";
import { RepositoryNote } from "../repositories/repository-note.ts";
import { type DayTotals, dayMs, totalsOfDay } from "../runs/day-totals.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import { type OrganizationFacts, readOrganizationFacts } from "../runs/organization-facts.ts";
import { statusOf } from "../runs/run-status.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { findRuns } from "./find-runs.ts";
import { notFoundPage, renderAppPage } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import { renderPause } from "./pause-owner.ts";
import { renderAgo, renderRunStatus, runsPath } from "./run-labels.ts";
import type { PageParts, Visit } from "./visit.ts";

const days = 30;
const maxRuns = 5000;
const maxRepositories = 1000;

const ownerIn = ({ place }: Readable) => place.repository.split("/", 1)[0] ?? "";

/** `/owners`: the owners of the repositories that a person can read. */
export async function ownersPage(_: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories } = visit;
  const owners = [...Map.groupBy(repositories.values(), ownerIn)].toSorted(([a], [b]) =>
    a.localeCompare(b),
  );
  const items = owners.map(
    ([owner, own]) =>
      html`<li><h2><a href="/owners/${encodeURIComponent(owner)}">${isolate(owner, 100)}</a></h2><p class="quiet">${own.length === 1 ? "1 repository" : `${own.length} repositories`}</p></li>`,
  );
  const main = html`
    <h1>Owners</h1>
    ${items.length > 0 ? html`<ul class="list">${items}</ul>` : html`<p>The App is not installed in any repository that you can read.</p>`}`;
  return renderAppPage({ title: "Owners", main, session, here: "/owners" });
}

/** `/owners/<login>`: an organization or an account: its limits, and the repositories that a person can read. */
export async function ownerPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories, asked } = visit;
  const wanted = (asked.parts[0] ?? "").toLowerCase();
  const own = new Map(
    [...repositories].filter(([, each]) => ownerIn(each).toLowerCase() === wanted),
  );
  const [first] = own.values();
  if (!first) return notFoundPage(session);
  const owner = ownerIn(first);
  const now = parts.clock.now();
  const [found, notes] = await Promise.all([
    findRuns(parts.notes, { repositories: own, since: now - days * dayMs, limit: maxRuns }),
    readNotes(parts, own),
  ]);
  const rows = rowsOf({ own, notes, runs: found.runs, now });
  const main = html`
    <h1>${isolate(owner, 100)}</h1>
    ${await renderSettings(parts, visit, { owner, place: first.place })}
    ${renderRepositories(rows, now)}
    ${rows.length > maxRepositories && html`<p>These are the first ${maxRepositories}.</p>`}
    ${found.next && html`<p class="warn">There are more than ${maxRuns} runs; the oldest are not counted.</p>`}`;
  return renderAppPage({ title: owner, main, session, here: "/owners" });
}

async function readNotes({ notes }: PageParts, own: Visit["repositories"]) {
  const repositories = [...own.keys()].map(String);
  const found = await notes.list({ kind: "repository", repositories, limit: own.size });
  return new Map(
    found.flatMap(({ id, data }) => {
      const note = RepositoryNote.safeParse(data).data;
      return note ? [[Number(id), note] as const] : [];
    }),
  );
}

/** A repository with its figures of the last days. */
interface OwnRow {
  readable: Readable;
  note: RepositoryNote | undefined;
  last: DispatchedRun | undefined;
  runs: number;
  failed: number;
  usd: number;
  today: DayTotals;
}

interface Rowed {
  own: Visit["repositories"];
  notes: ReadonlyMap<number, RepositoryNote>;
  runs: readonly DispatchedRun[];
  now: number;
}

const unsuccessful = new Set(["failed", "timed-out", "budget-used", "lost", "partly-done"]);

/** Repositories with runs first, the newest run first. Pure. */
function rowsOf({ own, notes, runs, now }: Rowed): OwnRow[] {
  const byRepository = Map.groupBy(runs, ({ place }) => place.id);
  const rows = [...own].map(([id, readable]): OwnRow => {
    const its = byRepository.get(id) ?? [];
    return {
      ...{ readable, note: notes.get(id), last: its[0], runs: its.length },
      failed: its.filter((run) => unsuccessful.has(statusOf(run).kind)).length,
      usd: its.reduce((sum, { cost_usd: usd = 0 }) => sum + usd, 0),
      today: totalsOfDay(its, now),
    };
  });
  const at = ({ last }: OwnRow) => last?.started_at ?? 0;
  const name = ({ readable }: OwnRow) => readable.place.repository;
  return rows.toSorted((a, b) => at(b) - at(a) || name(a).localeCompare(name(b)));
}

function renderRepositories(rows: readonly OwnRow[], now: number): Html | undefined {
  const columns = [
    head("Repository"),
    head("State"),
    head("Last run"),
    numHead("Runs"),
    numHead("Not successful"),
    numHead("Spent"),
    numHead("Today"),
  ];
  const shown = rows.slice(0, maxRepositories).map((row) => renderRow(row, now));
  return renderTable({ caption: `Repositories, with the last ${days} days`, head: columns }, shown);
}

function renderRow({ readable, note, last, runs, failed, usd, today }: OwnRow, now: number): Html {
  const { repository } = readable.place;
  return html`
    <tr><th scope="row"><a href="${runsPath({ repository })}">${isolate(repository.slice(repository.indexOf("/") + 1), 110)}</a></th>
    <td>${stateOf(note)}</td>
    <td>${last ? html`<a href="/runs/${last.id}">${renderRunStatus(last)}</a> <span class="quiet">${renderAgo(last.started_at, now)}</span>` : html`<span class="quiet">none</span>`}</td>
    <td class="num">${runs}</td><td class="num">${failed > 0 ? html`<span class="bad">${failed}</span>` : 0}</td>
    <td class="num">${dollars(usd)}</td><td class="num">${today.runs === 0 ? "–" : `${today.runs}, ${dollars(today.usd)}`}</td></tr>`;
}

function stateOf(note: RepositoryNote | undefined): Content {
  if (note?.problem !== undefined) {
    return html`<span class="bad">configuration invalid</span> <span class="quiet">${isolate(note.problem, 160)}</span>`;
  }
  if (note?.isPaused) return html`<span class="warn">paused</span>`;
  return html`<span class="quiet">${note ? "ready" : "not seen yet"}</span>`;
}

type Owned = { owner: string; place: Readable["place"] };

/** The limits of all repositories together, and how much of them is used. */
async function renderSettings(parts: PageParts, visit: Visit, { owner, place }: Owned) {
  try {
    const facts = await readOrganizationFacts(parts, place);
    return facts
      ? html`${renderLimits(facts)}${renderPause(visit, { owner, facts })}`
      : html`<p class="quiet">Limits, defaults and a pause for all repositories are set in ${isolate(`${owner}/.github`, 110)}: install the App there.</p>`;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return html`<p class="bad">${withCode(plainText(error.message.slice(0, 600)))}</p>`;
  }
}

function renderLimits({ isPaused, limits, today, name }: OrganizationFacts): Html {
  const { runs_per_day: most, budget_usd_per_day: budget } = limits;
  const spent = budget === undefined ? "" : `${dollars(today.usd)} of ${dollars(budget)}`;
  const all = [
    ["Runs today", most === undefined ? "" : `${today.runs} of ${most}`],
    ["Spent today", spent],
  ] as const;
  const figures = all.filter(([, value]) => value !== "");
  return html`
    ${isPaused && html`<p class="warn"><strong>Paused: nothing starts in any repository.</strong></p>`}
    ${figures.length > 0 && renderFigures(figures)}
    <p class="quiet">Set in <code>.ralph/organization.yml</code> of ${isolate(name, 210)}.</p>`;
}
