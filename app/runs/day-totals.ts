import { type DispatchedRun, wasStarted } from "./dispatched-run.ts";

export const dayMs = 24 * 60 * 60_000;

/** Runs that started on a day, and what all runs cost on it, US dollars. */
export type DayTotals = { runs: number; usd: number };

/** Pure. */
export const totalsOfDay = (runs: readonly DispatchedRun[], now: number): DayTotals => ({
  runs: startedToday(runs, now).length,
  usd: spentToday(runs, now),
});

/** The runs that started on this day (UTC). Pure. */
export function startedToday(runs: readonly DispatchedRun[], now: number): DispatchedRun[] {
  return runs.filter((run) => isToday(run.started_at, now) && wasStarted(run));
}

/** Whether a moment is on this day (UTC) or later. */
const isToday = (at: number, now: number): boolean => at >= Math.floor(now / dayMs) * dayMs;

/** The cost of all runs on this day (UTC) in US dollars, also of runs that began earlier and continue. Pure. */
export function spentToday(runs: readonly DispatchedRun[], now: number): number {
  return runs.reduce((sum, run) => sum + costToday(run, now), 0);
}

function costToday(
  { cost_usd: cost = 0, day, started_at: at }: DispatchedRun,
  now: number,
): number {
  if (day && isToday(day.began_at, now)) return Math.max(0, cost - day.cost_usd);
  return isToday(at, now) ? cost : 0;
}

/** A run whose next part begins now: only its cost from here on counts for this day. Pure. */
export function countFromToday(run: DispatchedRun, now: number): DispatchedRun {
  const { day, started_at, cost_usd = 0 } = run;
  if (isToday(day?.began_at ?? started_at, now)) return run;
  return { ...run, day: { began_at: now, cost_usd } };
}
