import {
  currentUnit,
  type SessionState,
  type TaskState,
  uncommittedPass,
} from "../state/session-state.ts";
import { hasStep, type Step } from "./step.ts";

/**
 * Approved work is merged and checked again, one task at a time and in order of approval, so that gates see what is
 * committed. A task whose proof ends late may have been approved first: it waits for a step in flight of another.
 */
export function mayMerge(state: SessionState, task: TaskState, inFlight: readonly Step[]): boolean {
  if (!awaitsMerge(task)) return true;
  const queue = state.tasks.filter(awaitsMerge);
  const landing = queue.find(({ task: { id } }) => hasStep(inFlight, id));
  return !uncommittedPass(state) && (landing ?? firstOf(queue)) === task;
}

/** Only when several workers share one branch. A subtask's work is merged with its task's; a proof may still run then. */
const awaitsMerge = (task: TaskState) =>
  task.state === "running" &&
  task.claimed !== undefined &&
  task.done.review &&
  !currentUnit(task) &&
  !isInProof(task);

/** Its proof continues after the review. Other tasks need not wait for it. */
const isInProof = (task: TaskState) =>
  !isMerged(task) && task.proof?.plan?.tree === task.tree && task.proof.judged?.tree !== task.tree;

const firstOf = (tasks: readonly TaskState[]) =>
  tasks.toSorted((a, b) => (a.approvedAt ?? 0) - (b.approvedAt ?? 0))[0];

/** Whether other tasks have passed since the task started or was last merged. */
export const isBehind = (state: SessionState, task: TaskState): boolean =>
  task.claimed !== undefined && task.base !== state.headTree;

/** Whether the task's tree is a merge, which only needs gates and criteria again. */
export const isMerged = ({ merged, tree }: TaskState): boolean => merged?.tree === tree;
