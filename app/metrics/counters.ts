import type { Clock } from "../../src/platform/system.ts";
import type { EventFields, EventName, RecordEvent } from "../events/recorder.ts";
import { type Queue, retryPolicy, type TakenJob } from "../store/queue.ts";

/** Counters by name and labels, since the process started. */
export interface Counters {
  add: (name: string, labels: Labels, amount?: number) => void;
  /** In the order of their first count. */
  list: () => CounterValue[];
}

/** Each label has few fixed values: requests must not be able to add new ones. */
export type Labels = Readonly<Record<string, string>>;
export type CounterValue = { name: string; labels: Labels; count: number };

/** Counters that start at 0. */
export function createCounters(): Counters {
  const known = new Map<string, CounterValue>();
  return {
    add: (name, labels, amount = 1) => {
      const key = JSON.stringify([name, labels]);
      const counted = known.get(key) ?? { name, labels, count: 0 };
      counted.count += amount;
      known.set(key, counted);
    },
    list: () => [...known.values()],
  };
}

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

type Outcome = "done" | "failed" | "dead";

export interface JobCounterParts {
  counters: Counters;
  record: RecordEvent;
  clock: Pick<Clock, "monotonic">;
}

/** The queue with counters and a line in the log for every attempt that ends in this process. */
export function withJobCounters(queue: Queue, { counters, record, clock }: JobCounterParts): Queue {
  const begun = new Map<string, number>();
  const ended = ({ id, kind, group, attempt, lease }: TakenJob, outcome: Outcome) => {
    const ms = Math.round(clock.monotonic() - (begun.get(lease + id) ?? clock.monotonic()));
    begun.delete(lease + id);
    counters.add("ralph_jobs_total", { kind, outcome });
    counters.add("ralph_job_seconds_total", { kind }, ms / 1000);
    record("job", { job: id, kind, group, attempt, outcome, ms });
  };
  return {
    ...queue,
    take: async () => {
      const job = await queue.take();
      if (job) {
        counters.add("ralph_job_attempts_total", { kind: job.kind });
        begun.set(job.lease + job.id, clock.monotonic());
      }
      return job;
    },
    finish: async (job) => {
      const isTaken = await queue.finish(job);
      if (isTaken) ended(job, "done");
      return isTaken;
    },
    fail: async (job, error) => {
      const isTaken = await queue.fail(job, error);
      if (isTaken) ended(job, job.attempt >= retryPolicy.attempts ? "dead" : "failed");
      return isTaken;
    },
    putBack: (job, startAt) => {
      begun.delete(job.lease + job.id);
      return queue.putBack(job, startAt);
    },
    deadLetter: async (job, error) => {
      const isTaken = await queue.deadLetter(job, error);
      if (isTaken) ended(job, "dead");
      return isTaken;
    },
  };
}
