import type { Clock } from "../../src/platform/system.ts";
import type { TakenJob } from "../store/queue.ts";

/** Hears what went wrong, and with which job. */
export type ReportError = (error: unknown, job?: TakenJob) => void;

/** The same is told again after this time. */
const silenceMs = 60_000;
const mostKnown = 100;

/**
 * Tells what goes wrong with no job, such as a database that is away, once a minute: every part of the App meets it
 * again and again. What concerns a job is always told.
 */
export function createQuietReporter(clock: Pick<Clock, "now">, report: ReportError): ReportError {
  const told = new Map<string, number>();
  return (error, job) => {
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const now = clock.now();
    if (!job && now - (told.get(words) ?? Number.NEGATIVE_INFINITY) < silenceMs) return;
    if (told.size >= mostKnown) told.clear();
    told.set(words, now);
    report(error, job);
  };
}
