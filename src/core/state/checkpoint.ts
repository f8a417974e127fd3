import { type Checkpoint, currentUnit, type TaskState } from "./session-state.ts";

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
