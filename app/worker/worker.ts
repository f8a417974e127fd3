import type { Clock } from "../../src/platform/system.ts";
import { cut, plainText } from "../../src/text/plain-text.ts";
import { PermanentJobError } from "../jobs/job.ts";
import { leaseMs, type Queue, type TakenJob } from "../store/queue.ts";

/** Runs one job. After an error it is retried, except after a `PermanentJobError`. It must end once `signal` is aborted. */
export type HandleJob = (job: TakenJob, signal: AbortSignal) => Promise<void>;

export interface WorkerParts {
  queue: Queue;
  handle: HandleJob;
  clock: Pick<Clock, "now" | "sleep">;
  /** How many jobs run at the same time. */
  slots: number;
  /** How many publications may run in addition: they take long, and nothing else waits for one. */
  publications: number;
  /** Called for each failed attempt, and while the queue is unreachable. */
  report: (error: unknown, job?: TakenJob) => void;
  /** Removes secrets from the error kept with a job, which people see. */
  redact: (text: string) => string;
  /** How long running jobs may take to end when the worker stops. */
  stopMs: number;
}

export interface Worker extends AsyncDisposable {
  /** Checks the queue now instead of at the next interval. */
  wake: () => void;
  /** The same as the disposal. */
  stop: () => Promise<void>;
}

/** Pauses after an empty and after an unreachable queue. */
const idleMs = 500;
const offlineMs = 2000;
/** The last part of `stopMs`, for jobs that must be aborted. */
const endingMs = 5000;

/**
 * Runs jobs until it is disposed of. Running jobs may then finish for a while, then their signal is aborted, and jobs that
 * still run are released for another worker. If the process is killed, their leases expire.
 */
export function startWorker(parts: WorkerParts): Worker {
  const stop = new AbortController();
  const abort = new AbortController();
  const running = new Set<TakenJob>();
  let wakeUp = new AbortController();
  const wake = () => {
    wakeUp.abort();
    wakeUp = new AbortController();
  };
  const pause = (ms: number) =>
    parts.clock.sleep(ms, AbortSignal.any([stop.signal, wakeUp.signal]));
  const working: Working = { parts, running, signal: abort.signal };
  const slots = Array.from({ length: parts.slots }, async () => {
    while (!stop.signal.aborted) {
      const pauseMs = await workOnce(working);
      if (pauseMs > 0) await pause(pauseMs);
    }
  });
  const ended = Promise.all(slots).then(() => untilDone(running));
  const end = async () => {
    stop.abort();
    const { stopMs } = parts;
    if (await isWithin(stopMs - endingMs, ended)) return;
    abort.abort();
    if (await isWithin(Math.min(stopMs, endingMs), ended)) return;
    await Promise.all([...running].map((job) => releaseJob(parts, job)));
  };
  let ending: Promise<void> | undefined;
  const once = () => {
    ending ??= end();
    return ending;
  };
  return { wake, stop: once, [Symbol.asyncDispose]: once };
}

/** Resolves when the publications beside the slots have ended as well. */
async function untilDone(running: ReadonlySet<TakenJob>): Promise<void> {
  while (running.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a promise resolves in time. */
async function isWithin(ms: number, ended: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  const result = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return result;
}

/** Releases a job at once instead of letting its lease expire. */
async function releaseJob({ queue, report }: WorkerParts, job: TakenJob): Promise<void> {
  try {
    await queue.fail(job, "The App was stopped during this attempt.");
  } catch (error) {
    report(error, job);
  }
}

type Working = {
  parts: WorkerParts;
  running: Set<TakenJob>;
  signal: AbortSignal;
};

/** Takes one job and runs it; returns how long to pause. */
async function workOnce(working: Working): Promise<number> {
  const { parts, running } = working;
  try {
    const job = await parts.queue.take();
    if (!job) return idleMs;
    if (job.kind !== "push") {
      await workOn(working, job);
      return 0;
    }
    const pushing = [...running].filter(({ kind }) => kind === "push").length;
    if (pushing < parts.publications) {
      workOn(working, job).catch((error: unknown) => parts.report(error, job));
    } else await parts.queue.putBack(job, parts.clock.now() + fullMs);
    return 0;
  } catch (error) {
    parts.report(error);
    return offlineMs;
  }
}

/** When a publication is tried again that found no room. */
const fullMs = 2000;

async function workOn({ parts, running, signal }: Working, job: TakenJob): Promise<void> {
  const { queue, handle, report } = parts;
  running.add(job);
  const beat = setInterval(() => {
    queue.extend(job).catch((error: unknown) => report(error, job));
  }, leaseMs / 3);
  try {
    await handle(job, signal);
    await queue.finish(job);
  } catch (error) {
    report(error, job);
    const message = messageOf(parts, error);
    if (error instanceof PermanentJobError) await queue.deadLetter(job, message);
    else await queue.fail(job, message);
  } finally {
    clearInterval(beat);
    running.delete(job);
  }
}

/** Enough for a list of jobs. */
const maxMessage = 2000;

/** Redacts before cutting: the redactor would not recognise half a secret. */
function messageOf({ redact }: WorkerParts, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return cut(redact(plainText(message.slice(0, 10 * maxMessage))), maxMessage);
}
