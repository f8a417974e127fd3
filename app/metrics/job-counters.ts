import { type Queue, retryPolicy, type TakenJob } from "../store/queue.ts";
import type { Counters } from "./counters.ts";

/** The same queue; every attempt that begins or ends in this process is counted. */
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
      const isOurs = await queue.finish(job);
      if (isOurs) ended(job, "done");
      return isOurs;
    },
    fail: async (job, error) => {
      const isOurs = await queue.fail(job, error);
      if (isOurs) ended(job, job.attempt >= retryPolicy.attempts ? "dead" : "failed");
      return isOurs;
    },
    deadLetter: async (job, error) => {
      const isOurs = await queue.deadLetter(job, error);
      if (isOurs) ended(job, "dead");
      return isOurs;
    },
  };
}
