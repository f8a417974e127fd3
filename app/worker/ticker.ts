import type { Clock } from "../../src/platform/system.ts";
import { type JobQueue, jobId, type NewJob } from "../jobs/new-job.ts";

export interface TickerParts {
  queue: JobQueue;
  clock: Pick<Clock, "now" | "sleep">;
  report: (error: unknown) => void;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Jobs of the clock belong to no repository. */
const group = "clock";

/**
 * Adds a job every minute, and a reconciling one at the start and every hour. Their ids come from the time, so that several
 * replicas add only one.
 */
export function startTicker({ queue, clock, report }: TickerParts): AsyncDisposable {
  const stop = new AbortController();
  const run = async () => {
    let reconciledHour: number | undefined;
    while (!stop.signal.aborted) {
      const now = clock.now();
      const hour = Math.floor(now / hourMs);
      try {
        const isDone = reconciledHour === hour;
        await queue.add([tickJob(now), ...(isDone ? [] : [reconcileJob(now, reconciledHour)])]);
        reconciledHour = hour;
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

function reconcileJob(now: number, lastHour: number | undefined): NewJob {
  const since = lastHour === undefined ? "start" : "hour";
  const at = Math.floor(now / (lastHour === undefined ? minuteMs : hourMs));
  return { id: jobId("sweep", since, at), kind: "sweep", group, data: {} };
}
