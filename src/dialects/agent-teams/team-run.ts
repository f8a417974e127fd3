import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { workerOf } from "../session-facts.ts";
import type { TeamFailure, TeamFailures } from "./schema/failures.ts";
import { metricsLine, type TeamMetrics } from "./schema/metrics.ts";

/** The failures and successes of a session's workers, for `failures.json`. */
export function teamFailuresOf(state: SessionState): TeamFailures {
  const touched = state.tasks.filter(isTouched);
  const teams = Map.groupBy(touched, workerOf);
  if (teams.size === 0) teams.set(workerOf({}), []);
  return Object.fromEntries(
    [...teams].toSorted(byName).map(([name, tasks]) => [name, failureOf(tasks)]),
  );
}

const byName = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

const isTouched = ({ startedAt, passedBefore }: TaskState) =>
  startedAt !== undefined && !passedBefore;

function failureOf(tasks: readonly TaskState[]): TeamFailure {
  const passed = tasks.filter(({ state }) => state === "passed");
  const closedAt = passed.reduce(
    (latest, { endedAt = "" }) => (endedAt > latest ? endedAt : latest),
    "",
  );
  const failures = tasks.flatMap(({ failures = [] }) => failures);
  const last = failures.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1);
  return {
    consecutive_failures: failures.filter(({ at }) => at > closedAt).length,
    last_failure: last ? plainLine(last.feedback, 300) : null,
    total_failures: failures.length,
    total_successes: passed.length,
  };
}

/** The figures of a session: tasks of the whole list, and every gate result. */
export function teamMetricsOf(state: SessionState): TeamMetrics {
  const states = { passed: 0, failed: 0, blocked: 0, pending: 0, running: 0 };
  const metrics = { gates_passed: 0, gates_failed: 0, last_updated: state.tasksAt };
  for (const { state: status, gateTally } of state.tasks) {
    states[status] += 1;
    if (!gateTally) continue;
    metrics.gates_passed += gateTally.passed;
    metrics.gates_failed += gateTally.failed;
    if (gateTally.at > metrics.last_updated) metrics.last_updated = gateTally.at;
  }
  return {
    tasks_completed: states.passed,
    tasks_failed: states.failed + states.blocked,
    tasks_pending: states.pending + states.running,
    ...metrics,
  };
}

/** The last line of a team's work, word for word as specs 003 have it. */
export function completionLine(state: SessionState): string {
  const metrics = teamMetricsOf(state);
  return `${metrics.tasks_completed} tasks completadas. ${metricsLine(metrics)}.`;
}
