import type { EventFields, EventName } from "../events/recorder.ts";
import type { Counters } from "./counters.ts";

/** Counts the App's events, and for the end of a run how it ended, its cost and its time. */
export const countEvents =
  (counters: Counters) =>
  (event: EventName, { status, usd, seconds }: EventFields): void => {
    counters.add("ralph_events_total", { event });
    if (event !== "run-ended") return;
    const ending = String(status);
    counters.add("ralph_runs_ended_total", { ending });
    counters.add("ralph_run_seconds_total", { ending }, Number(seconds ?? 0));
    counters.add("ralph_run_cost_usd_total", { ending }, Number(usd ?? 0));
  };
