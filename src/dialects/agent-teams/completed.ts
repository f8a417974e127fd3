import type { ForeignFile } from "../dialect.ts";
import { parseRecord } from "../json-text.ts";
import { failedOnce, noFailure, readFailures, succeededOnce } from "./schema/failures.ts";
import { readMetrics } from "./schema/metrics.ts";
import { failuresPath, metricsPath, withFailures, withMetrics } from "./team-counters.ts";

/** The verdict on a teammate's completion. */
export interface Completion {
  name: string;
  gatesPassed: number;
  /** The gate that failed, for people; undefined for an accepted completion. */
  failure: string | undefined;
  pending: number;
  /** ISO 8601, UTC. */
  now: string;
}

/** The counters after a completion, and the teammate's consecutive failures then (specs 003, TaskCompleted hook). */
export function completedFiles(completion: Completion): {
  files: ForeignFile[];
  consecutiveFailures: () => number;
} {
  let inRow = completion.failure === undefined ? 0 : 1;
  const countFailure = (text: string | undefined) => {
    const before = readFailures(parseRecord(text) ?? {})?.[completion.name] ?? noFailure;
    const { failure } = completion;
    const after = failure === undefined ? succeededOnce(before) : failedOnce(before, failure);
    inRow = after.consecutive_failures;
    return withFailures(text, { [completion.name]: after });
  };
  const countMetrics = (text: string | undefined) => metricsAfter(text, completion);
  return {
    files: [
      locked(failuresPath, completion, countFailure),
      locked(metricsPath, completion, countMetrics),
    ],
    consecutiveFailures: () => inRow,
  };
}

function locked(
  path: string,
  completion: Completion,
  merge: (text: string | undefined) => string | undefined,
): ForeignFile {
  return { path, locks: [path], inPlace: true, ours: JSON.stringify(completion), merge };
}

function metricsAfter(
  text: string | undefined,
  { failure, gatesPassed, pending, now }: Completion,
): string | undefined {
  const before = readMetrics(parseRecord(text) ?? {});
  const held = failure === undefined ? 1 : 0;
  return withMetrics(text, {
    tasks_completed: (before?.tasks_completed ?? 0) + held,
    tasks_failed: (before?.tasks_failed ?? 0) + 1 - held,
    tasks_pending: pending,
    gates_passed: (before?.gates_passed ?? 0) + gatesPassed,
    gates_failed: (before?.gates_failed ?? 0) + 1 - held,
    last_updated: now,
  });
}
