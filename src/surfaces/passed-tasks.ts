import type { Run, TaskRun } from "../run/run.ts";

/** A task that passed in this session, not before it. */
export type PassedTask = TaskRun & { endedAt: string };

/** What this session has passed, oldest first; the only tasks our documents speak about. */
export function passedTasks(run: Run): PassedTask[] {
  return run.tasks.filter(isPassedHere).sort((a, b) => (a.endedAt < b.endedAt ? -1 : 1));
}

function isPassedHere(task: TaskRun): task is PassedTask {
  return task.state === "passed" && !task.passedBefore && task.endedAt !== undefined;
}
