import { type Queue, retryPolicy, type TakenJob } from "../store/queue.ts";
import type { Counters } from "./counters.ts";

/** The queue with counters for every attempt that begins or ends in this process. */
export function withJobCounters(queue: Queue, counters: Counters): Queue {
  const ended = ({ kind }: TakenJob, outcome: "done" | "failed" | "dead") =>
    counters.add("ralph_jobs_total", { kind, outcome });
  return {
    ...queue,
    take: async () => {
      const job = await queue.take();
      if (job) counters.add("ralph_job_attempts_total", { kind: job.kind });
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
    deadLetter: async (job, error) => {
      const isTaken = await queue.deadLetter(job, error);
      if (isTaken) ended(job, "dead");
      return isTaken;
    },
  };
}
