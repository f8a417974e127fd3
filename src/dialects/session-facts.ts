import { selectedTasks } from "../core/decide/task-order.ts";
import type { SessionState, TaskState } from "../core/state/session-state.ts";
import { iterationsOf } from "../views/summary/totals.ts";
import type { DialectInput } from "./dialect.ts";

/** Iterations of all tasks and their limit, which a resumption may exceed, for tools with a single loop. */
export function countIterations(
  state: SessionState,
  { config: { limits } }: Pick<DialectInput, "config">,
) {
  const iteration = iterationsOf(state);
  const most = limits.max_iterations * Math.max(1, selectedTasks(state).length);
  return { iteration, max_iterations: Math.max(most, iteration) };
}

/** Makes a value of a session again only when its key changes. */
export function createMemo<Value>() {
  const known = new WeakMap<SessionState["session"], { key: string; value: Value }>();
  return ({ session }: SessionState, key: string, make: () => Value): Value => {
    const last = known.get(session);
    if (last?.key === key) return last.value;
    const value = make();
    known.set(session, { key, value });
    return value;
  };
}

/** The worker that a task belongs to; `agent-1` where one works alone. */
export const workerOf = ({ claimed }: Pick<TaskState, "claimed">): string =>
  claimed?.worker ?? "agent-1";
