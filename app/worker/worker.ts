import type { Clock } from "../../src/platform/system.ts";
import { cut, plainText } from "../../src/text/plain-text.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import { defaultStopMs } from "../settings/settings.ts";
import { leaseMs, type Queue, type TakenJob } from "../store/queue.ts";

/** Does one job. What it throws is tried again later; `Hopeless` is not. Once `signal` is aborted it must come to its end. */
export type HandleJob = (job: TakenJob, signal: AbortSignal) => Promise<void>;

export interface WorkerParts {
  queue: Queue;
  handle: HandleJob;
  clock: Pick<Clock, "sleep">;
  /** Jobs at a time. */
  slots: number;
  /** Hears of every attempt that failed, and of a queue that is out of reach. */
  report: (error: unknown, job?: TakenJob) => void;
  /** Takes secrets out of what is kept with a job: people see it. */
  redact: (text: string) => string;
  /** So long what is being done may take to end once the worker is disposed of. */
  stopMs?: number;
}

export interface Worker extends AsyncDisposable {
  /** Looks for work now instead of at the next turn. */
  wake: () => void;
  /** The same as its disposal. */
  stop: () => Promise<void>;
}

/** Between two looks at a queue that was empty, or out of reach. */
const idleMs = 500;
const offlineMs = 2000;
/** The last part of it, for whatever must be ended. */
const endingMs = 5000;

/**
 * Works on jobs until it is disposed of, which ends what was begun: first it may come to its end, then its signal is
 * aborted, and what goes on even then is left to be taken again. Whoever is killed meanwhile leaves it for another.
 */
export function startWorker(parts: WorkerParts): Worker {
  const stop = new AbortController();
  const hurry = new AbortController();
  const inHand = new Set<TakenJob>();
  let wakeUp = new AbortController();
  const wake = () => {
    wakeUp.abort();
    wakeUp = new AbortController();
  };
  const rest = (ms: number) => parts.clock.sleep(ms, AbortSignal.any([stop.signal, wakeUp.signal]));
  const working: Working = { parts, inHand, signal: hurry.signal };
  const slots = Array.from({ length: parts.slots }, async () => {
    while (!stop.signal.aborted) {
      const pauseMs = await workOnce(working);
      if (pauseMs > 0) await rest(pauseMs);
    }
  });
  const ended = Promise.all(slots);
  const end = async () => {
    stop.abort();
    const { stopMs = defaultStopMs } = parts;
    if (await isWithin(stopMs - endingMs, ended)) return;
    hurry.abort();
    if (await isWithin(Math.min(stopMs, endingMs), ended)) return;
    await Promise.all([...inHand].map((job) => giveUp(parts, job)));
  };
  let ending: Promise<void> | undefined;
  const once = () => {
    ending ??= end();
    return ending;
  };
  return { wake, stop: once, [Symbol.asyncDispose]: once };
}

/** Whether something ends in time. */
async function isWithin(ms: number, ended: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), false);
  });
  const result = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return result;
}

/** Nobody has to wait until its lease runs out. */
async function giveUp({ queue, report }: WorkerParts, job: TakenJob): Promise<void> {
  try {
    await queue.fail(job, "The App was stopped meanwhile.");
  } catch (error) {
    report(error, job);
  }
}

type Working = { parts: WorkerParts; inHand: Set<TakenJob>; signal: AbortSignal };

/** Takes one job and does it; answers how long to rest. */
async function workOnce(working: Working): Promise<number> {
  const { parts, inHand } = working;
  try {
    const job = await parts.queue.take();
    if (!job) return idleMs;
    inHand.add(job);
    await workOn(working, job).finally(() => inHand.delete(job));
    return 0;
  } catch (error) {
    parts.report(error);
    return offlineMs;
  }
}

async function workOn({ parts, signal }: Working, job: TakenJob): Promise<void> {
  const { queue, handle, report } = parts;
  const beat = setInterval(() => {
    queue.extend(job).catch((error: unknown) => report(error, job));
  }, leaseMs / 3);
  try {
    await handle(job, signal);
    await queue.finish(job);
  } catch (error) {
    report(error, job);
    const words = wordsOf(parts, error);
    if (error instanceof PermanentJobError) await queue.deadLetter(job, words);
    else await queue.fail(job, words);
  } finally {
    clearInterval(beat);
  }
}

/** More helps nobody who looks at a list of jobs. */
const longestWords = 2000;

/** The redactor sees all that could be kept: half a secret is known by nobody. */
function wordsOf({ redact }: WorkerParts, error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return cut(redact(plainText(words.slice(0, 10 * longestWords))), longestWords);
}
