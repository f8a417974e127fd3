import type { Clock } from "../../src/platform/system.ts";
import { jobId } from "../jobs/job-id.ts";
import type { JobQueue, NewJob } from "../jobs/new-job.ts";

export interface TickerParts {
  queue: JobQueue;
  clock: Pick<Clock, "now" | "sleep">;
  report: (error: unknown) => void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** What the clock brings belongs to no repository. */
const group = "clock";

/**
 * Adds a job every minute, and one that sweeps at the start and every hour. Their ids are the time's, so that several
 * replicas come to one.
 */
export function startTicker({ queue, clock, report }: TickerParts): AsyncDisposable {
  const stop = new AbortController();
  const run = async () => {
    let swept: number | undefined;
    while (!stop.signal.aborted) {
      const now = clock.now();
      const hour = Math.floor(now / hourMs);
      try {
        await queue.add(swept === hour ? [tickJob(now)] : [tickJob(now), sweepJob(now, swept)]);
        swept = hour;
      } catch (error) {
        report(error);
      }
      await clock.sleep(minuteMs - (now % minuteMs), stop.signal);
    }
  };
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function tickJob(now: number): NewJob {
  return { id: jobId("tick", Math.floor(now / minuteMs)), kind: "tick", group, data: {} };
}

function sweepJob(now: number, swept: number | undefined): NewJob {
  const since = swept === undefined ? "start" : "hour";
  const at = Math.floor(now / (swept === undefined ? minuteMs : hourMs));
  return { id: jobId("sweep", since, at), kind: "sweep", group, data: {} };
}
