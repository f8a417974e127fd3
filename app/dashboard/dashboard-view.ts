import type { ConfigState } from "../repositories/config.ts";
import { type DayTotals, dayMs, totalsOfDay } from "../runs/day-totals.ts";
import { type DispatchedRun, isOpen, isPlan } from "../runs/dispatched-run.ts";
import { permissionCheck } from "../runs/ending.ts";

export interface DashboardFacts {
  /** The runs of one repository, newest first. */
  runs: readonly DispatchedRun[];
  isPaused: boolean;
  config: ConfigState;
  now: number;
}

/** The lists of the dashboard, each in reading order. */
export interface DashboardView extends Pick<DashboardFacts, "isPaused" | "config"> {
  working: readonly DispatchedRun[];
  /** Oldest first. */
  waiting: readonly DispatchedRun[];
  /** Plans that wait for approval. */
  plans: readonly DispatchedRun[];
  /** Runs without a pull request, or with an incomplete one. */
  failed: readonly DispatchedRun[];
  /** Items whose pull request was closed without a merge, so that they are not chosen again. */
  ignored: readonly DispatchedRun[];
  /** Recent runs and their results. */
  chosen: readonly DispatchedRun[];
  /** Since midnight (UTC). */
  today: DayTotals;
}

/** Older runs are not shown; ignored items stay until a person decides. */
const recentMs = 30 * dayMs;

/** Sorts the runs of a repository into the dashboard's lists. Pure. */
export function viewDashboard({ runs, isPaused, config, now }: DashboardFacts): DashboardView {
  const recent = runs.filter(({ changed_at: at }) => at >= now - recentMs);
  const newest = newestOfItems(runs);
  return {
    ...{ isPaused, config },
    working: runs.filter((run) => isOpen(run) && run.state !== "waiting"),
    waiting: runs.filter(({ state }) => state === "waiting").toReversed(),
    plans: runs.filter((run) => run.state === "done" && isPlan(run)),
    failed: newest.filter((run) => recent.includes(run) && hasFailed(run)),
    ignored: newest.filter(({ outcome }) => outcome === "rejected"),
    chosen: recent.filter((run) => run.state === "done" && hasResult(run) && !isPlan(run)),
    today: totalsOfDay(runs, now),
  };
}

const hasResult = ({ pull, ending }: DispatchedRun) =>
  pull !== undefined || ending?.kind === "nothing-to-do";

/** Whether the run can be retried. */
export function hasFailed(run: DispatchedRun): boolean {
  const { state, outcome, pull, tasks } = run;
  if (outcome || isPlan(run) || run.ending?.in === permissionCheck) return false;
  if (run.ending?.kind === "nothing-to-do") return false;
  if (state === "refused") return true;
  return state === "done" && (!pull || (tasks !== undefined && tasks.passed < tasks.total));
}

/** Keeps only the newest run of each issue; each run over reports counts on its own. */
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
