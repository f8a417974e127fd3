import type { Clock } from "../../src/system/system.ts";
import { type Job, leaseMs, type Queue } from "../store/queue.ts";

/** Does one job. What it throws is tried again later; `Hopeless` is not. */
export type Handler = (job: Job) => Promise<void>;

/** An error no further attempt can mend: the job is kept as dead, to be looked at. */
export class Hopeless extends Error {}

export interface WorkerParts {
  queue: Queue;
  /** By kind. */
  handlers: ReadonlyMap<string, Handler>;
  clock: Pick<Clock, "sleep">;
  /** Jobs at a time. */
  slots: number;
  /** Hears of every attempt that failed, and of a queue that is out of reach. */
  report: (error: unknown, job?: Job) => void;
}

export interface Worker extends AsyncDisposable {
  /** Looks for work now instead of at the next turn. */
  wake: () => void;
}

/** Between two looks at a queue that was empty, or out of reach. */
const idleMs = 500;
const offlineMs = 2000;

/** Works on jobs until it is disposed of, which ends what was begun. Whoever is killed meanwhile leaves it for another. */
export function startWorker(parts: WorkerParts): Worker {
  const stop = new AbortController();
  let wakeUp = new AbortController();
  const wake = () => {
    wakeUp.abort();
    wakeUp = new AbortController();
  };
  const rest = (ms: number) => parts.clock.sleep(ms, AbortSignal.any([stop.signal, wakeUp.signal]));
  const slots = Array.from({ length: parts.slots }, async () => {
    while (!stop.signal.aborted) {
      const pauseMs = await workOnce(parts);
      if (pauseMs > 0) await rest(pauseMs);
    }
  });
  return {
    wake,
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(slots);
    },
  };
}

/** Takes one job and does it; answers how long to rest. */
async function workOnce(parts: WorkerParts): Promise<number> {
  try {
    const job = await parts.queue.take();
    if (!job) return idleMs;
    await workOn(parts, job);
    return 0;
  } catch (error) {
    parts.report(error);
    return offlineMs;
  }
}

async function workOn(parts: WorkerParts, job: Job): Promise<void> {
  const { queue, handlers, report } = parts;
  const beat = setInterval(() => {
    queue.extend(job).catch((error: unknown) => report(error, job));
  }, leaseMs / 3);
  try {
    const handler = handlers.get(job.kind);
    if (!handler) throw new Hopeless(`there is no handler for ${job.kind}`);
    await handler(job);
    await queue.finish(job);
  } catch (error) {
    report(error, job);
    const words = error instanceof Error ? error.message : String(error);
    if (error instanceof Hopeless) await queue.bury(job, words);
    else await queue.fail(job, words);
  } finally {
    clearInterval(beat);
  }
}
