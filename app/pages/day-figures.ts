import { type DispatchedRun, wasStarted } from "../runs/dispatched-run.ts";
import { spentToday } from "../runs/start-facts.ts";

/** The figures of one repository for a day. */
export interface DayFigures {
  repository: string;
  started: number;
  waiting: number;
  usd: number;
  /** The cost of a finished run is unknown. */
  isPartial: boolean;
  passed: number;
  pulls: number;
}

/** Sums up the runs of this day, the busiest repository first. `now` in milliseconds since 1970. Pure. */
export function dayFigures(runs: readonly DispatchedRun[], now: number): DayFigures[] {
  const byRepository = Map.groupBy(runs, ({ place }) => place.repository);
  return [...byRepository]
    .map(([repository, own]) => figuresOf(repository, { runs: own, now }))
    .sort((a, b) => b.started - a.started || a.repository.localeCompare(b.repository));
}

function figuresOf(
  repository: string,
  { runs, now }: { runs: readonly DispatchedRun[]; now: number },
): DayFigures {
  const started = runs.filter(wasStarted);
  const sum = (figure: (run: DispatchedRun) => number) =>
    runs.reduce((total, run) => total + figure(run), 0);
  return {
    repository,
    started: started.length,
    waiting: runs.filter(({ state }) => state === "waiting").length,
    usd: spentToday(runs, now),
    isPartial: started.some(({ state, cost_usd: usd }) => state === "done" && usd === undefined),
    passed: sum(({ tasks }) => tasks?.passed ?? 0),
    pulls: runs.filter(({ pull }) => pull !== undefined).length,
  };
}
