import type { Clock } from "../../src/platform/system.ts";
import type { RecordEvent } from "../events/recorder.ts";
import { type Queue, retryPolicy, type TakenJob } from "../store/queue.ts";
import type { Counters } from "./counters.ts";

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
