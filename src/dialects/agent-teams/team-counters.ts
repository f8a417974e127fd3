import type { SessionState } from "../../core/state/session-state.ts";
import type { ForeignFile } from "../dialect.ts";
import { parseRecord, renderJson } from "../json-text.ts";
import { checkFailures, noFailure, readFailures, type TeamFailures } from "./schema/failures.ts";
import { checkMetrics, readMetrics, type TeamMetrics } from "./schema/metrics.ts";
import { teamFailuresOf, teamMetricsOf } from "./team-run.ts";

export const failuresPath = ".ralph/failures.json";
export const metricsPath = ".ralph/metrics.json";

/** Teammates lock the file itself, so it is changed in place (compatibility 5). */
const counterFile = (
  path: string,
  ours: object,
  merge: (text: string | undefined) => string | undefined,
): ForeignFile => ({ path, locks: [path], inPlace: true, ours: JSON.stringify(ours), merge });

/** The counters of ralph's workers; those of other teammates stay. */
export function failuresJson(state: SessionState): ForeignFile {
  const ours = teamFailuresOf(state);
  return counterFile(failuresPath, ours, (text) => withFailures(text, ours));
}

function withFailures(text: string | undefined, ours: TeamFailures): string | undefined {
  const before = parseRecord(text);
  if (!before || checkFailures(before).length > 0) return undefined;
  return renderJson({ ...before, ...ours });
}

/** The names of the same figures in the other format; they are removed, so that a file never contradicts itself. */
const otherNames = ["total_tasks", "successful_tasks", "failed_tasks"];

/** The figures of the session; other keys of the file stay. */
export function metricsJson(state: SessionState): ForeignFile {
  const ours = teamMetricsOf(state);
  return counterFile(metricsPath, ours, (text) => withMetrics(text, ours));
}

function withMetrics(text: string | undefined, ours: TeamMetrics): string | undefined {
  const before = parseRecord(text);
  if (!before || !checkMetrics(before).data) return undefined;
  const rest = Object.entries(before).filter(([name]) => !otherNames.includes(name));
  return renderJson({ ...ours, ...Object.fromEntries(rest), ...ours });
}

interface Completion {
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
  const { name, failure } = completion;
  let inRow = failure === undefined ? 0 : 1;
  const countFailure = (text: string | undefined) => {
    const before = readFailures(parseRecord(text) ?? {})?.[name] ?? noFailure;
    inRow = failure === undefined ? 0 : before.consecutive_failures + 1;
    const totals =
      failure === undefined
        ? { total_successes: before.total_successes + 1 }
        : { last_failure: failure, total_failures: before.total_failures + 1 };
    return withFailures(text, { [name]: { ...before, consecutive_failures: inRow, ...totals } });
  };
  return {
    files: [
      counterFile(failuresPath, completion, countFailure),
      counterFile(metricsPath, completion, (text) => metricsAfter(text, completion)),
    ],
    consecutiveFailures: () => inRow,
  };
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

/** The file that resets all circuit breakers; `counted` returns the consecutive failures of each teammate before. */
export function resetBreakers(): { file: ForeignFile; counted: () => Record<string, number> } {
  let before: TeamFailures = {};
  const open = () =>
    Object.entries(before)
      .map(([name, each]) => [name, each.consecutive_failures] as const)
      .filter(([, count]) => count !== 0);
  const merge = (text: string | undefined) => {
    const record = parseRecord(text);
    before = readFailures(record) ?? {};
    return record && open().length > 0 ? renderJson(reset(record)) : undefined;
  };
  const file = counterFile(failuresPath, ["reset"], merge);
  return { file, counted: () => Object.fromEntries(open()) };
}

function reset(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record).map(([name, each]) => {
    if (name.startsWith("_")) return [name, each] as const;
    if (typeof each === "number") return [name, 0] as const;
    return [name, { ...Object(each), consecutive_failures: 0 }] as const;
  });
  return Object.fromEntries(entries);
}
