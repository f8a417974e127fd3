import type { JobQueue, NewJob } from "../jobs/new-job.ts";

/** Keeps jobs durably; answers once they are on the disk. */
export type StoreJob = (job: NewJob) => Promise<void>;

interface Waiting {
  job: NewJob;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Of one commit. */
const largestBatch = 500;

/**
 * One commit for everything that comes in while the one before is under way: a flush to disk costs the same for one
 * delivery and for hundreds.
 */
export function createIntake(queue: JobQueue): StoreJob {
  let waiting: Waiting[] = [];
  let isBusy = false;
  const drain = async () => {
    isBusy = true;
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
      // Whatever else has arrived by now comes along.
      if (!isBusy) setImmediate(() => isBusy || drain());
    });
}
