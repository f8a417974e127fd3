import type { Run, TaskRun } from "../../core/state/run.ts";

/** A task that passed in this session, not before it. */
export type PassedTask = TaskRun & { endedAt: string };

const known = new WeakMap<Run["tasks"], readonly PassedTask[]>();

/** What this session has passed, oldest first; the only tasks our documents speak about. */
export function passedTasks({ tasks }: Pick<Run, "tasks">): readonly PassedTask[] {
  const passed =
    known.get(tasks) ?? tasks.filter(isPassedHere).sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
  known.set(tasks, passed);
  return passed;
}

function isPassedHere(task: TaskRun): task is PassedTask {
  return task.state === "passed" && !task.passedBefore && task.endedAt !== undefined;
}
