import { selectedTasks } from "../core/decide/task-order.ts";
import type { SessionState, TaskState } from "../core/state/session-state.ts";
import { iterationsOf } from "../views/summary/totals.ts";
import type { DialectInput } from "./dialect.ts";

/**
 * The iterations of all tasks so far and their limit, for tools with a single loop. After a resumption a task may use its
 * iterations again, so the limit is never below the count.
 */
export function countIterations(
  state: SessionState,
  { config: { limits } }: Pick<DialectInput, "config">,
) {
  const iteration = iterationsOf(state);
  const most = limits.max_iterations * Math.max(1, selectedTasks(state).length);
  return { iteration, max_iterations: Math.max(most, iteration) };
}

/** The worker that a task belongs to; `agent-1` where one works alone. */
export const workerOf = ({ claimed }: Pick<TaskState, "claimed">): string =>
  claimed?.worker ?? "agent-1";
