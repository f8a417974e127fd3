import type { JobQueue, NewJob } from "../jobs/new-job.ts";

/** Stores a job; resolves once it is on the disk. */
export type StoreJob = (job: NewJob) => Promise<void>;

interface Waiting {
  job: NewJob;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** The most jobs per commit. */
const largestBatch = 500;
/** How long jobs gather for one commit. Meanwhile the event loop is free: it accepts one connection in each turn. */
const gatherMs = 5;

/**
 * Commits all jobs that arrive within a moment or during the previous commit at once: a flush costs the same for one delivery and for
 * hundreds.
 */
export function createIntake(queue: JobQueue): StoreJob {
  let waiting: Waiting[] = [];
  let isBusy = false;
  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, largestBatch);
      waiting = waiting.slice(largestBatch);
      try {
        await queue.add(batch.map(({ job }) => job));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isBusy = false;
  };
  return (job) =>
    new Promise((resolve, reject) => {
      waiting.push({ job, resolve, reject });
      if (isBusy) return;
      isBusy = true;
      setTimeout(drain, gatherMs);
    });
}
