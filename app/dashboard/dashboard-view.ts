import type { Limits } from "../../src/schema/config/limits.ts";
import { type DispatchedRun, isOpen, isPlan } from "../runs/dispatched-run.ts";
import { spentToday, startedToday } from "../runs/start-facts.ts";

export interface DashboardFacts {
  /** Of one repository, newest first. */
  runs: readonly DispatchedRun[];
  isPaused: boolean;
  /** Undefined: the default branch has no sound configuration. */
  limits: Limits | undefined;
  now: number;
}

/** What the dashboard shows, each list as people want to read it. */
export interface DashboardView extends Pick<DashboardFacts, "isPaused" | "limits"> {
  working: readonly DispatchedRun[];
  /** Whoever asked first comes first. */
  waiting: readonly DispatchedRun[];
  /** Plans that wait for somebody to read them. */
  plans: readonly DispatchedRun[];
  /** What came to no pull request, or to one that is not complete. */
  failed: readonly DispatchedRun[];
  /** Items whose pull request was closed without a merge: nothing chooses them again by itself. */
  ignored: readonly DispatchedRun[];
  /** What was chosen lately, and what became of it. */
  chosen: readonly DispatchedRun[];
  /** Since midnight (UTC). */
  today: { runs: number; usd: number };
}

const dayMs = 24 * 60 * 60_000;
/** What is older is no news; what is ignored stays until somebody decides. */
const lateMs = 30 * dayMs;

/** Sorts the runs of a repository into what a reader wants to know. Pure. */
export function viewDashboard({ runs, isPaused, limits, now }: DashboardFacts): DashboardView {
  const late = runs.filter(({ changed_at: at }) => at >= now - lateMs);
  const newest = newestOfItems(runs);
  return {
    ...{ isPaused, limits },
    working: runs.filter((run) => isOpen(run) && run.state !== "waiting"),
    waiting: runs.filter(({ state }) => state === "waiting").toReversed(),
    plans: runs.filter((run) => run.state === "done" && isPlan(run)),
    failed: newest.filter((run) => late.includes(run) && hasFailed(run)),
    ignored: newest.filter(({ outcome }) => outcome === "rejected"),
    chosen: late.filter((run) => run.pull && run.state === "done" && !isPlan(run)),
    today: { runs: startedToday(runs, now).length, usd: spentToday(runs, now) },
  };
}

/** Whether there is something to try again. */
export function hasFailed(run: DispatchedRun): boolean {
  const { state, outcome, pull, tasks } = run;
  if (outcome || isPlan(run)) return false;
  if (state === "refused") return true;
  return state === "done" && (!pull || (tasks !== undefined && tasks.passed < tasks.total));
}

/** A run of an issue takes the place of the ones before; what was chosen from reports stands for itself. */
function newestOfItems(runs: readonly DispatchedRun[]): DispatchedRun[] {
  const seen = new Set<string>();
  return runs.filter((run) => {
    const item = itemOf(run);
    if (seen.has(item)) return false;
    seen.add(item);
    return true;
  });
}

function itemOf({ request: { command, item, issue }, pull }: DispatchedRun): string {
  const place = issue === undefined ? (pull?.number ?? 0) : 0;
  return JSON.stringify([command, item, issue ?? null, place]);
}
