import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { workerOf } from "../session-facts.ts";
import type { TeamFailure, TeamFailures } from "./schema/failures.ts";
import type { TeamMetrics } from "./schema/metrics.ts";

/** The failures and successes of a session's workers, for `failures.json`. */
export function teamFailuresOf(state: SessionState): TeamFailures {
  const touched = state.tasks.filter(
    ({ startedAt, passedBefore }) => startedAt !== undefined && !passedBefore,
  );
  const teams = Map.groupBy(touched, workerOf);
  if (teams.size === 0) teams.set(workerOf({}), []);
  return Object.fromEntries(
    [...teams]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, tasks]) => [name, failureOf(tasks)]),
  );
}

function failureOf(tasks: readonly TaskState[]): TeamFailure {
  const passed = tasks.filter(({ state }) => state === "passed");
  const closedAt = passed.map(({ endedAt = "" }) => endedAt).reduce(later, "");
  const failures = tasks.flatMap(({ failures = [] }) => failures);
  const last = failures.toSorted((a, b) => (a.at < b.at ? -1 : 1)).at(-1);
  return {
    consecutive_failures: failures.filter(({ at }) => at > closedAt).length,
    last_failure: last ? plainLine(last.feedback, 300) : null,
    total_failures: failures.length,
    total_successes: passed.length,
  };
}

const later = (one: string, other: string) => (other > one ? other : one);

/** The figures of a session: tasks of the whole list, and every gate result. */
export function teamMetricsOf(state: SessionState): TeamMetrics {
  const {
    passed = [],
    failed = [],
    blocked = [],
    pending = [],
    running = [],
  } = Object.groupBy(state.tasks, (task) => task.state);
  const tallies = state.tasks.flatMap(({ gateTally }) => gateTally ?? []);
  return {
    tasks_completed: passed.length,
    tasks_failed: failed.length + blocked.length,
    tasks_pending: pending.length + running.length,
    gates_passed: tallies.reduce((sum, tally) => sum + tally.passed, 0),
    gates_failed: tallies.reduce((sum, tally) => sum + tally.failed, 0),
    last_updated: tallies.map(({ at }) => at).reduce(later, state.tasksAt),
  };
}

/** The last line of a team's work, word for word as specs 003 have it. */
export function completionLine(state: SessionState): string {
  const { tasks_completed, tasks_failed, tasks_pending, ...gates } = teamMetricsOf(state);
  const tasks = `${tasks_failed} failed, ${tasks_pending} pending`;
  return `${tasks_completed} tasks completadas. ${tasks}, gates ${gates.gates_passed} passed and ${gates.gates_failed} failed.`;
}
