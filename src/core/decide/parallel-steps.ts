import { apply } from "../state/apply.ts";
import type { RunTask } from "../state/event.ts";
import type { SessionState } from "../state/session-state.ts";
import { readyTasks } from "./task-order.ts";

/** Groups of tasks that may run in parallel if each group passes, ids in order of work; tasks that passed earlier are in none. */
export function parallelSteps(tasks: readonly RunTask[], selected: readonly string[]): string[][] {
  const groups: string[][] = [];
  let state = unstarted(tasks, selected);
  for (let ready = readyIds(state); ready.length > 0; ready = readyIds(state)) {
    groups.push(ready);
    state = withPassed(state, ready);
  }
  return groups;
}

const readyIds = (state: SessionState) => readyTasks(state, false).map(({ task }) => task.id);

const withPassed = (state: SessionState, ids: readonly string[]): SessionState => ({
  ...state,
  tasks: state.tasks.map((task) =>
    ids.includes(task.task.id) ? { ...task, state: "passed" } : task,
  ),
});

/** A session that has tasks and no events. */
function unstarted(tasks: readonly RunTask[], selected: readonly string[]): SessionState {
  return apply(undefined, {
    ...{ type: "session_start", format: 1, seq: 1, ts: new Date(0).toISOString(), prev: "" },
    ...{ session_id: "", project: "", description: "", config_path: "", branch: "" },
    source: { type: "prd_json", path: "" },
    start: { commit: "", tree: "" },
    tasks: [...tasks],
    selected: [...selected],
    sandbox: "off",
    versions: {},
  });
}
