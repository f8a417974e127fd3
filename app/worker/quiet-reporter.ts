import type { Clock } from "../../src/platform/system.ts";
import type { TakenJob } from "../store/queue.ts";

/** Reports an error, and the job it belongs to. */
export type ReportError = (error: unknown, job?: TakenJob) => void;

/** The same error is reported again after this time. */
const silenceMs = 60_000;
const maxKnown = 100;

/**
 * Reports an error without a job, such as an unreachable database, only once a minute, because every part of the App runs
 * into it again and again. Errors of jobs are always reported.
 */
export function createQuietReporter(clock: Pick<Clock, "now">, report: ReportError): ReportError {
  const reported = new Map<string, number>();
  return (error, job) => {
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const now = clock.now();
    if (!job && now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < silenceMs) return;
    if (reported.size >= maxKnown) reported.clear();
    reported.set(message, now);
    report(error, job);
  };
}
