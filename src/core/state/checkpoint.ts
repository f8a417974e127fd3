import type { FactOf } from "./event.ts";
import { type Checkpoint, currentUnit, type TaskState, type WorkParts } from "./session-state.ts";

/** The implementer, the test writer or both had finished before the session stopped. */
export const continued = ({ tree, done, claim, parts }: Checkpoint) => ({
  tree,
  done: { ...done, review: false },
  ...(parts && { parts }),
  ...(claim !== undefined && { claim }),
});

/** Work inside an independent subtask restarts with it. */
export function checkpointOf(
  task: TaskState,
  { done: { implementation, tests }, claim }: Pick<Checkpoint, "claim"> & Pick<TaskState, "done">,
): Pick<TaskState, "checkpoint"> {
  const { base, tree, parts } = task;
  const isUnchanged = base === tree && (!parts || parts.tests === parts.work);
  if (currentUnit(task) || task.claimed || isUnchanged) return {};
  const done = { implementation, tests };
  return { checkpoint: { base, tree, done, claim, ...(parts && { parts }) } };
}

/** Tests first: the work tree now holds one part of the work, or all of it. */
export function workShown(
  task: TaskState,
  { part, tree, tests, work, paths }: FactOf<"work_shown">,
): TaskState {
  return { ...task, tree, parts: { part, tests, work, paths } };
}

/** The tree a role leaves is its part, as long as it saw no other. */
export function partsAfter(parts: WorkParts, { tree }: FactOf<"agent_end">): WorkParts {
  return parts.part === "all" ? parts : { ...parts, [parts.part]: tree };
}
