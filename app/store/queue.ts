/** A job as the store keeps it. */
export interface StoredJob {
  /** A UUID. A job with a known id, even a finished one, is not added again (F42). */
  id: string;
  /** Selects its handler. */
  kind: string;
  /** Jobs of one group run one at a time, and groups take turns. */
  group: string;
  /** Any JSON value. */
  data: unknown;
  /** Not before this time, milliseconds since 1970. */
  startAt?: number;
}

/** A job that a worker has taken until its lease expires. */
export interface TakenJob extends StoredJob {
  /** Counted from 1. */
  attempt: number;
  /** Identifies this attempt. */
  lease: string;
}

/** A job without its data, which may be large. A dead one failed permanently; a person may requeue it while it is kept. */
export interface ListedJob extends Omit<StoredJob, "data" | "startAt"> {
  state: "ready" | "active" | "dead";
  /** Number of attempts so far. */
  attempt: number;
  /** Error of the last attempt. */
  error: string | null;
  /** When it is due, was taken, or died. */
  at: number;
}

export interface JobQuery {
  state: ListedJob["state"];
  groups: readonly string[];
  /** Only this job. */
  id?: string;
  limit: number;
}

/** The number of jobs in each state; `done` only counts those still kept. */
export interface QueueCounts {
  ready: number;
  active: number;
  dead: number;
  done: number;
}

/** Ready jobs whose time has come. */
export interface Backlog {
  due: number;
  /** When the oldest of them was due, milliseconds since 1970. */
  oldestDueAt: number | undefined;
}

/**
 * A durable queue, the same on both engines: once `add` has returned, the jobs are on the disk; each is tried until it is
 * done or dead, and taken again after a crash. Jobs run at least once, so handlers check what exists already.
 */
export interface Queue {
  /** Adds all jobs or none; returns how many were new. */
  add(jobs: readonly StoredJob[]): Promise<number>;
  /** The next due job of a group that is not busy. */
  take(): Promise<TakenJob | undefined>;
  /** Extends the lease of a long job; false if it has expired and another worker may have the job. */
  extend(job: TakenJob): Promise<boolean>;
  finish(job: TakenJob): Promise<boolean>;
  /** Retries the job after a pause; after the last attempt it is dead. */
  fail(job: TakenJob, error: string): Promise<boolean>;
  /** Makes the job a dead letter without another attempt. */
  deadLetter(job: TakenJob, error: string): Promise<boolean>;
  /** Returns the job untouched: this attempt does not count. */
  putBack(job: TakenJob, startAt: number): Promise<boolean>;
  /** Moves the ready and running jobs of a group to another one; false if a job of that one is running. */
  regroup(from: string, to: string): Promise<boolean>;
  /** Jobs of some groups, the newest first. */
  list(wanted: JobQuery): Promise<ListedJob[]>;
  /** Puts a dead job back with all its attempts. */
  requeue(id: string): Promise<boolean>;
  counts(): Promise<QueueCounts>;
  backlog(): Promise<Backlog>;
}

/**
 * Pauses grow from 5 s to ten minutes, so that jobs continue soon after an outage of GitHub; together they outlast an
 * outage of two hours (F57).
 */
export const retryPolicy = { attempts: 31, firstMs: 5000, longestMs: 10 * 60_000 } as const;

/** A worker that does not extend its lease for this long counts as dead. */
export const leaseMs = 60_000;

/** How long the ids of finished jobs are kept: longer than GitHub redelivers (3 days). */
export const doneKeptMs = 7 * 24 * 60 * 60_000;

/** How long a dead job can be requeued. */
export const deadKeptMs = 30 * 24 * 60 * 60_000;

/** The most dead jobs to keep; the oldest are removed. */
export const deadKept = 10_000;

/** How often old jobs are removed. */
export const forgetMs = 60_000;

/** The pause before the next attempt, milliseconds; `chance` from 0 to 1 spreads jobs that failed together. */
export function retryPause(attempt: number, chance: number): number {
  const whole = Math.min(
    retryPolicy.longestMs,
    retryPolicy.firstMs * 2 ** Math.min(attempt - 1, 16),
  );
  return Math.round(whole * (0.5 + chance / 2));
}
