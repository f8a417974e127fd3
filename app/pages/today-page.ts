import { RalphError } from "../../src/error.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { dollars } from "../../src/text/figures.ts";
import { renderShare } from "../../src/views/html/chart.ts";
import { type Content, type Html, html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import type { Place } from "../access/place.ts";
import { readRepository } from "../repositories/repository-note.ts";
import { type DispatchedRun, wasStarted } from "../runs/dispatched-run.ts";
import { spentToday } from "../runs/start-facts.ts";
import type { PageAnswer } from "../webhooks/route.ts";
import { findRuns } from "./find-runs.ts";
import { renderAppPage } from "./frame/frame.ts";
import type { Readable } from "./list-readable.ts";
import type { PageParts, Visit } from "./visit.ts";

const dayMs = 24 * 60 * 60_000;
/** More runs than usual limits allow in a day. */
const maxRuns = 2000;
/** Each needs a request for its configuration. */
const maxRepositories = 25;

/** `/today`: runs and cost since midnight, compared with the limits of each repository. */
export async function todayPage(parts: PageParts, visit: Visit): Promise<PageAnswer> {
  const { session, repositories } = visit;
  const since = Math.floor(parts.clock.now() / dayMs) * dayMs;
  const found = await findRuns(parts.notes, { repositories, since, limit: maxRuns });
  const days = dayFigures(found.runs, parts.clock.now());
  const shown = days.slice(0, maxRepositories);
  const sections = await Promise.all(
    shown.map((day) => renderDay(parts, day, repositories.get(day.place.id))),
  );
  const more = days.length - shown.length;
  const main = html`
    <h1>Today</h1>
    <p class="quiet">Since midnight, compared with the limits in <code>.ralph/ralph.yml</code> of the default branch.</p>
    ${sections.length > 0 ? sections : html`<p>Nothing was started today.</p>`}
    ${more > 0 && html`<p>Runs were also started in ${more === 1 ? "one other repository" : `${more} other repositories`}.</p>`}
    ${found.next && html`<p class="warn">There are more than ${maxRuns} runs; the oldest of the day are not counted.</p>`}`;
  return renderAppPage({ title: "Today", main, session, here: "/today" });
}

type Limits = { runs: number; usd: number | null } | undefined;

async function renderDay(
  parts: PageParts,
  day: DayFigures,
  readable: Readable | undefined,
): Promise<Html> {
  const limits = readable && (await readLimits(parts, readable));
  const isPaused = readable && (await readRepository(parts.notes, readable.place)).isPaused;
  const link = `/?${new URLSearchParams({ repository: day.place.repository })}`;
  return html`
    <section><h2><a href="${link}">${isolate(day.place.repository, 210)}</a>
    ${isPaused && html` <span class="warn">paused</span>`}</h2>
    <dl class="figures">${figuresOf(day, limits).map(
      ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    )}</dl></section>`;
}

function figuresOf(day: DayFigures, limits: Limits): [string, Content][] {
  const { started, usd, isPartial, waiting, passed, pulls } = day;
  const isKnown = limits !== undefined;
  const runs = { used: started, limit: limits?.runs ?? null, isKnown, show: String };
  const spent = { used: usd, limit: limits?.usd ?? null, isKnown, show: dollars };
  return [
    ["Runs started", compare(runs)],
    [isPartial ? "Spent, at least" : "Spent", compare(spent)],
    ["Tasks passed", passed],
    ["Pull requests", pulls],
    ["Waiting", waiting],
  ];
}

/** Undefined for an invalid or currently unreadable configuration. */
async function readLimits({ access }: PageParts, { place }: Readable): Promise<Limits> {
  try {
    const limits = (await access.config(place))?.limits;
    return limits && { runs: limits.runs_per_day, usd: limits.budget_usd_per_day };
  } catch (error) {
    if (error instanceof RalphError || httpStatusOf(error) !== undefined) return undefined;
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

/** Sums up the runs of this day, the busiest repository first. `now` in milliseconds since 1970. Pure. */
function dayFigures(runs: readonly DispatchedRun[], now: number): DayFigures[] {
  const byRepository = Map.groupBy(runs, ({ place }) => place.id);
  return [...byRepository.values()]
    .flatMap((own) => (own[0] ? sumUp(own[0].place, { runs: own, now }) : []))
    .sort((a, b) => b.started - a.started || a.place.repository.localeCompare(b.place.repository));
}

function sumUp(
  place: Place,
  { runs, now }: { runs: readonly DispatchedRun[]; now: number },
): DayFigures {
  const started = runs.filter(wasStarted);
  const sum = (figure: (run: DispatchedRun) => number) =>
    runs.reduce((total, run) => total + figure(run), 0);
  return {
    place,
    started: started.length,
    waiting: runs.filter(({ state }) => state === "waiting").length,
    usd: spentToday(runs, now),
    isPartial: started.some(({ state, cost_usd: usd }) => state === "done" && usd === undefined),
    passed: sum(({ tasks }) => tasks?.passed ?? 0),
    pulls: runs.filter(({ pull }) => pull !== undefined).length,
  };
}
