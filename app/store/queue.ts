/** A piece of work to be done once, whatever crashes. */
export interface StoredJob {
  /** A UUID. One that is known, also as done, is not added again: what means the same gets the same id (F42). */
  id: string;
  /** Names its handler. */
  kind: string;
  /** Whose turn it takes: the jobs of one group run one at a time, and groups take turns. */
  group: string;
  /** Anything JSON can say. */
  data: unknown;
  /** Not before this, milliseconds since 1970. */
  startAt?: number;
}

/** A job in our hands until its lease runs out. */
export interface TakenJob extends StoredJob {
  /** Counted from 1. */
  attempt: number;
  /** Of this attempt. */
  lease: string;
}

/** A job given up after its last attempt; a person may have it tried again, as long as it is kept. */
export interface DeadJob extends Omit<StoredJob, "startAt"> {
  error: string;
  diedAt: number;
}

/** A job as people see it: without its data, which may be large. */
export interface ListedJob extends Omit<StoredJob, "data" | "startAt"> {
  state: "ready" | "active" | "dead";
  /** Attempts so far. */
  attempt: number;
  /** Of the last attempt. */
  error: string | null;
  /** When it may be taken, when it was taken, or when it died. */
  at: number;
}

export interface JobQuery {
  state: ListedJob["state"];
  groups: readonly string[];
  /** This one only. */
  id?: string;
  limit: number;
}

/** How many there are of each; `done` only as far as they are still kept. */
export interface QueueCounts {
  ready: number;
  active: number;
  dead: number;
  done: number;
}

/**
 * Durable work, the same on both engines: what `add` has answered is on the disk, every job is tried until it is done
 * or dead, and after a crash it is taken again. At least once, so whoever works on one looks at what is there first.
 */
export interface Queue {
  /** All of them or none. Answers how many were new. */
  add(jobs: readonly StoredJob[]): Promise<number>;
  /** The next job whose time has come, of a group nobody works for. */
  take(): Promise<TakenJob | undefined>;
  /** Keeps a job that takes long; false when the lease has run out, and somebody else may have it. */
  extend(job: TakenJob): Promise<boolean>;
  finish(job: TakenJob): Promise<boolean>;
  /** Tried again after a pause, or dead after the last attempt. */
  fail(job: TakenJob, error: string): Promise<boolean>;
  /** Nothing would be gained by another attempt. */
  deadLetter(job: TakenJob, error: string): Promise<boolean>;
  dead(): Promise<DeadJob[]>;
  /** Jobs of some groups, the latest first. */
  list(wanted: JobQuery): Promise<ListedJob[]>;
  /** Lets a dead job be tried again from its first attempt. */
  requeue(id: string): Promise<boolean>;
  counts(): Promise<QueueCounts>;
}

/**
 * Pauses grow from 5 s to ten minutes, so that whatever waits for GitHub goes on soon after an outage; all of them together
 * outlast one of two hours (F57).
 */
export const retryPolicy = { attempts: 31, firstMs: 5000, longestMs: 10 * 60_000 } as const;

/** An owner that is silent for so long is dead. */
export const leaseMs = 60_000;

/** Ids of finished jobs are known for longer than GitHub lets a delivery be sent again (3 days). */
export const doneKeptMs = 7 * 24 * 60 * 60_000;

/** So long somebody may have a dead job tried again. */
export const deadKeptMs = 30 * 24 * 60 * 60_000;

/** More dead jobs than anybody looks through; the oldest are forgotten. */
export const deadKept = 10_000;

/** How often it is looked for jobs nobody needs to know any more. */
export const forgetMs = 60_000;

/** Before the next attempt, milliseconds; `chance` from 0 to 1 spreads what failed together. */
export function retryPause(attempt: number, chance: number): number {
  const whole = Math.min(
    retryPolicy.longestMs,
    retryPolicy.firstMs * 2 ** Math.min(attempt - 1, 16),
  );
  return Math.round(whole * (0.5 + chance / 2));
}
