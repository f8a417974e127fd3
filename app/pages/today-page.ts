import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { dollars } from "../../src/text/figures.ts";
import { plainText } from "../../src/text/plain-text.ts";
import { renderShare } from "../../src/views/html/chart.ts";
import { type Content, type Html, html } from "../../src/views/html/html.ts";
import {
  head,
  isolate,
  renderFigures,
  renderTable,
  withCode,
} from "../../src/views/html/labels.ts";
import { RepositoryMovedError } from "../access/noticing-moves.ts";
import type { Place } from "../access/place.ts";
import { readRepository } from "../repositories/repository-note.ts";
import { spentToday } from "../runs/day-totals.ts";
import { type DispatchedRun, wasStarted } from "../runs/dispatched-run.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { readSpan, renderSpans, titleOfSpan } from "./day-span.ts";
import { findRuns } from "./find-runs.ts";
import { renderAppPage } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import { runsPath } from "./run-labels.ts";
import type { PageParts, Visit } from "./visit.ts";

/** More runs than usual limits allow in a day. */
const maxRuns = 2000;
/** Each needs a request for its configuration. */
const maxRepositories = 25;

/** `/today`: runs and cost since midnight, or of any other days, by owner and repository, with the limits of each repository. */
export async function todayPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories, asked } = visit;
  const now = parts.clock.now();
  const span = readSpan(asked.query, now);
  const before = { at: span.to, id: "" };
  const wanted = { repositories, since: span.from, before, limit: maxRuns };
  const found = await findRuns(parts.notes, wanted);
  const figures = dayFigures(found.runs, { now, isToday: span.isToday });
  const shown = figures.slice(0, maxRepositories);
  const sections = await Promise.all(
    shown.map((day) =>
      renderDay(parts, { day, isToday: span.isToday }, repositories.get(day.place.id)),
    ),
  );
  const more = figures.length - shown.length;
  const title = titleOfSpan(span);
  const main = html`
    <h1>${title}</h1>
    ${renderSpans(span)}
    <p class="quiet">${span.isToday ? html`Since midnight, compared with the limits in <code>.ralph/ralph.yml</code> of the default branch.` : "Runs that began on these days (UTC)."}</p>
    ${renderTotals(figures)}
    ${sections.length > 0 ? sections : html`<p>Nothing was started in this time.</p>`}
    ${more > 0 && html`<p>Runs were also started in ${more === 1 ? "one other repository" : `${more} other repositories`}.</p>`}
    ${found.next && html`<p class="warn">There are more than ${maxRuns} runs; the oldest are not counted.</p>`}`;
  return renderAppPage({ title, main, session, here: "/today" });
}

/** Sums by owner, and of all owners. */
function renderTotals(figures: readonly DayFigures[]): Html | undefined {
  if (figures.length < 2) return undefined;
  const owners = Map.groupBy(figures, ({ place }) => place.repository.split("/", 1)[0] ?? "");
  const rows = [...owners].map(([owner, own]) => renderTotal(ownerLink(owner), own));
  const all = owners.size > 1 ? [renderTotal("All", figures)] : [];
  const names = ["Owner", "Repositories", "Runs", "Spent", "Tasks passed", "Pull requests"];
  return renderTable({ caption: "Totals by owner", head: names.map(head) }, [...rows, ...all]);
}

const ownerLink = (owner: string): Html =>
  html`<a href="/owners/${encodeURIComponent(owner)}">${isolate(owner, 110)}</a>`;

function renderTotal(name: Content, figures: readonly DayFigures[]): Html {
  const sum = (figure: (day: DayFigures) => number) =>
    figures.reduce((total, day) => total + figure(day), 0);
  return html`<tr><th scope="row">${name}</th><td>${figures.length}</td><td>${sum((day) => day.started)}</td><td>${dollars(sum((day) => day.usd))}</td><td>${sum((day) => day.passed)}</td><td>${sum((day) => day.pulls)}</td></tr>`;
}

type Limits = { runs: number; usd: number | null } | undefined;

async function renderDay(
  parts: PageParts,
  { day, isToday }: { day: DayFigures; isToday: boolean },
  readable: Readable | undefined,
): Promise<Html> {
  const { limits: ofDay, problem } = readable ? await readLimits(parts, readable) : noLimits;
  // The limits are for one day.
  const limits = isToday ? ofDay : "unlimited";
  const isPaused = readable && (await readRepository(parts.notes, readable.place)).isPaused;
  const { repository } = day.place;
  return html`
    <section><h2><a href="${runsPath({ repository })}">${isolate(repository, 210)}</a>
    ${isPaused && html` <span class="warn">paused</span>`}</h2>
    ${problem && html`<p class="bad">${withCode(plainText(problem.slice(0, 600)))}</p>`}
    ${renderFigures(figuresOf(day, limits))}</section>`;
}

function figuresOf(day: DayFigures, limits: Limits | "unlimited"): [string, Content][] {
  const { started, usd, isPartial, waiting, passed, pulls } = day;
  const isKnown = limits !== undefined;
  const ofDay = limits === "unlimited" ? undefined : limits;
  const runs = { used: started, limit: ofDay?.runs ?? null, isKnown, show: String };
  const spent = { used: usd, limit: ofDay?.usd ?? null, isKnown, show: dollars };
  const isPlain = limits === "unlimited";
  return [
    ["Runs started", isPlain ? started : compare(runs)],
    [isPartial ? "Spent, at least" : "Spent", isPlain ? dollars(usd) : compare(spent)],
    ["Tasks passed", passed],
    ["Pull requests", pulls],
    ["Waiting", waiting],
  ];
}

type ReadLimits = { limits: Limits; problem: string | undefined };
const noLimits: ReadLimits = { limits: undefined, problem: undefined };

/** The limits, or why they are unknown: an invalid configuration is a problem that the reader can solve. */
async function readLimits({ access }: PageParts, { place }: Readable): Promise<ReadLimits> {
  try {
    const limits = (await access.config(place))?.limits;
    if (!limits) return { limits: undefined, problem: "There is no .ralph/ralph.yml." };
    const { runs_per_day: runs, budget_usd_per_day: usd } = limits;
    return { limits: { runs, usd }, problem: undefined };
  } catch (error) {
    const hasReason = error instanceof RalphError || error instanceof RepositoryMovedError;
    if (hasReason) return { limits: undefined, problem: error.message };
    if (httpStatusOf(error) !== undefined) return noLimits;
    throw error;
  }
}

type Comparison = {
  used: number;
  /** Null without a limit. */
  limit: number | null;
  isKnown: boolean;
  show: (figure: number) => string;
};

function compare({ used, limit, isKnown, show }: Comparison): Html {
  if (limit === null) {
    const note = isKnown ? "no limit" : "limit unknown";
    return html`${show(used)} <span class="quiet note">${note}</span>`;
  }
  const tone = used >= limit ? "bad" : "";
  const share = renderShare(Math.min(used, limit), limit);
  return html`<span class="${tone}">${show(used)} of ${show(limit)}</span>${share}`;
}

/** The figures of one repository for a day. */
interface DayFigures {
  place: Place;
  started: number;
  waiting: number;
  usd: number;
  /** The cost of a finished run is unknown. */
  isPartial: boolean;
  passed: number;
  pulls: number;
}

/** `now` in milliseconds since 1970. */
type Span = { now: number; isToday: boolean };

/** Sums up the runs of a span, the busiest repository first. Pure. */
function dayFigures(runs: readonly DispatchedRun[], span: Span): DayFigures[] {
  const byRepository = Map.groupBy(runs, ({ place }) => place.id);
  return [...byRepository.values()]
    .flatMap((own) => (own[0] ? sumUp(own[0].place, own, span) : []))
    .sort((a, b) => b.started - a.started || a.place.repository.localeCompare(b.place.repository));
}

function sumUp(place: Place, runs: readonly DispatchedRun[], { now, isToday }: Span): DayFigures {
  const started = runs.filter(wasStarted);
  const sum = (figure: (run: DispatchedRun) => number) =>
    runs.reduce((total, run) => total + figure(run), 0);
  return {
    place,
    started: started.length,
    waiting: runs.filter(({ state }) => state === "waiting").length,
    usd: isToday ? spentToday(runs, now) : sum(({ cost_usd: usd = 0 }) => usd),
    isPartial: started.some(({ state, cost_usd: usd }) => state === "done" && usd === undefined),
    passed: sum(({ tasks }) => tasks?.passed ?? 0),
    pulls: runs.filter(({ pull }) => pull !== undefined).length,
  };
}
