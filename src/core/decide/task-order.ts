import type { SessionState, TaskState } from "../state/session-state.ts";
import { leftOutTasks } from "../state/steer.ts";

/**
 * The tasks that may start now, in order (design 4): by priority, then id. A task starts when every task of a
 * lower priority has ended; `dependsOn` replaces that barrier by its own tasks. Tasks that were not selected block
 * nothing.
 */
export function readyTasks(state: SessionState, keepGoing: boolean): TaskState[] {
  const selected = selectedTasks(state);
  const stopped = stoppedTasks(selected, keepGoing);
  const open = selected.filter((task) => isOpen(task) && !stopped.has(task.task.id));
  const waiting = open.filter(({ state }) => state === "pending");
  const passed = new Set(state.tasks.filter(hasPassed).map(({ task }) => task.id));
  const barrier = open[0]?.task.priority;
  const ready = waiting.filter(({ task }) =>
    task.dependsOn ? task.dependsOn.every((id) => passed.has(id)) : task.priority === barrier,
  );
  if (ready.length > 0 || waiting.length < open.length) return ready;
  // A task that depends on one of a later priority would block its own dependency, so the barrier does not count.
  return waiting.filter(({ task }) => !task.dependsOn).slice(0, 1);
}

/** The tasks the session works on: those selected at its start, without those skipped since. */
export function selectedTasks(state: SessionState): TaskState[] {
  const selected = new Set(state.session.selected);
  for (const { task } of leftOutTasks(state)) selected.delete(task.task.id);
  return state.tasks.filter(({ task }) => selected.has(task.id));
}

/** Ids of tasks that failed or are blocked, and of those that therefore do not start in this session. */
export function stoppedTasks(tasks: readonly TaskState[], keepGoing: boolean): Set<string> {
  const stopped = new Set(tasks.filter(hasGivenUp).map(({ task }) => task.id));
  for (let size = -1; size !== stopped.size; ) {
    size = stopped.size;
    const barrier = keepGoing ? Number.POSITIVE_INFINITY : lowestPriority(tasks, stopped);
    for (const { task } of tasks.filter(({ state }) => state === "pending")) {
      const { dependsOn, priority } = task;
      const isStopped = dependsOn ? dependsOn.some((id) => stopped.has(id)) : priority > barrier;
      if (isStopped) stopped.add(task.id);
    }
  }
  return stopped;
}

function lowestPriority(tasks: readonly TaskState[], ids: ReadonlySet<string>): number {
  const first = tasks.find(({ task }) => ids.has(task.id));
  return first?.task.priority ?? Number.POSITIVE_INFINITY;
}

const hasPassed = ({ state }: TaskState) => state === "passed";
const hasGivenUp = ({ state }: TaskState) => state === "failed" || state === "blocked";
const isOpen = ({ state }: TaskState) => state === "pending" || state === "running";
