import { type Checkpoint, currentUnit, type TaskState } from "./session-state.ts";

/** The implementer, and perhaps the test writer, had finished before the session stopped. */
export const continued = ({ tree, done, claim }: Checkpoint) => ({
  tree,
  done: { ...done, review: false },
  ...(claim !== undefined && { claim }),
});

/** Work inside an independent subtask restarts with it. */
export function checkpointOf(
  task: TaskState,
  { tests, claim }: { tests: boolean; claim: string | undefined },
): Pick<TaskState, "checkpoint"> {
  const { base, tree } = task;
  if (currentUnit(task) || task.claimed || base === tree) return {};
  return { checkpoint: { base, tree, done: { implementation: true, tests }, claim } };
}
