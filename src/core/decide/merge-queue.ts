import {
  currentUnit,
  type SessionState,
  type TaskState,
  uncommittedPass,
} from "../state/session-state.ts";

/**
 * Work that is approved lands: merged with what has passed meanwhile, gates and criteria once more, pass, commit.
 * One task at a time, so that what the gates see is what is committed; the rest waits in the order of approval.
 */
export function mayMerge(state: SessionState, task: TaskState): boolean {
  if (!isLanding(task)) return true;
  return !uncommittedPass(state) && firstOf(state.tasks.filter(isLanding)) === task;
}

/** Only where several workers pass into one branch. A subtask's work goes nowhere before its task's does. */
const isLanding = (task: TaskState) =>
  task.state === "running" && task.claimed !== undefined && task.done.review && !currentUnit(task);

const firstOf = (tasks: readonly TaskState[]) =>
  tasks.toSorted((a, b) => (a.approvedAt ?? 0) - (b.approvedAt ?? 0))[0];

/** Whether others have passed since the task's work began, or was merged last. */
export const isBehind = (state: SessionState, task: TaskState): boolean =>
  task.claimed !== undefined && task.base !== state.headTree;

/** Whether what lies there is a merge, which only has to be proved as a whole. */
export const isMerged = ({ merged, tree }: TaskState): boolean => merged?.tree === tree;
