import { selectedTasks } from "../../core/decide/task-order.ts";
import { roles } from "../../core/state/roles.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import type { UsageByRole } from "../../core/state/usage.ts";

/** The figures of every report. `durationMs` is wall time, including breaks between parts of a session. */
export function totalsOf(state: SessionState) {
  const selected = selectedTasks(state);
  return {
    completed: selected.filter(({ state }) => state === "passed").length,
    total: selected.length,
    iterations: iterationsOf(state),
    durationMs: Date.parse(state.end?.at ?? state.ts) - Date.parse(state.startedAt),
  };
}

/** The usage of each role that was called, in the order of a task's life. */
export function usagesOf(byRole: UsageByRole) {
  return roles.flatMap((role) => {
    const usage = byRole[role];
    return usage ? [{ role, usage }] : [];
  });
}

export function iterationsOf({ tasks }: Pick<SessionState, "tasks">): number {
  return tasks.reduce((sum, { iterations }) => sum + iterations, 0);
}

/** A task that passed in this session, not before it. */
export type PassedTask = TaskState & { endedAt: string };

const known = new WeakMap<SessionState["tasks"], readonly PassedTask[]>();

/** The tasks that passed in this session, oldest first; documents show no others. */
export function passedTasks({ tasks }: Pick<SessionState, "tasks">): readonly PassedTask[] {
  const passed =
    known.get(tasks) ?? tasks.filter(isPassedHere).sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
  known.set(tasks, passed);
  return passed;
}

const isPassedHere = (task: TaskState): task is PassedTask =>
  task.state === "passed" && !task.passedBefore && task.endedAt !== undefined;
