import type { SessionState, TaskState } from "../../core/state/session-state.ts";

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

function isPassedHere(task: TaskState): task is PassedTask {
  return task.state === "passed" && !task.passedBefore && task.endedAt !== undefined;
}
