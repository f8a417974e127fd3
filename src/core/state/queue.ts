import type { FactOf, Stamp } from "./event.ts";
import type { SessionState, TaskState } from "./session-state.ts";

/** The state of a task for workers that share a list (specs 001). */
export const queueStates = ["pending", "claimed", "done", "failed"] as const;
export type QueueState = (typeof queueStates)[number];

/** The transitions from each state. Resuming a session releases claims of the killed process. */
const edges: Record<QueueState, readonly QueueState[]> = {
  pending: ["claimed"],
  claimed: ["done", "failed", "pending"],
  failed: ["pending"],
  done: [],
};

export const canMove = (from: QueueState, to: QueueState): boolean => edges[from].includes(to);

export function queueStateOf({ state, claimed }: Pick<TaskState, "state" | "claimed">): QueueState {
  if (state === "passed") return "done";
  if (state === "failed" || state === "blocked") return "failed";
  return state === "running" || claimed ? "claimed" : "pending";
}

/** A worker takes a pending task, one at a time. Throws on an impossible claim. */
export function claimTask(
  { tasks }: Pick<SessionState, "tasks">,
  task: TaskState,
  { worker, base, ts: at }: FactOf<"task_claimed"> & Stamp,
): TaskState {
  const { id } = task.task;
  const other = tasks.find((each) => each.claimed?.worker === worker && isClaimed(each));
  if (other) throw new Error(`${worker} cannot take ${id}: it has ${other.task.id}.`);
  const from = queueStateOf(task);
  if (!canMove(from, "claimed")) throw new Error(`${worker} cannot take ${id}: it is ${from}.`);
  return { ...task, claimed: { worker, base, at } };
}

const isClaimed = (task: TaskState) => queueStateOf(task) === "claimed";

/** Whether a failed task goes back into the queue. Without a limit, as in sessions without workers, it always does. */
export function mayTryAgain(
  task: Pick<TaskState, "state" | "claimed" | "attempts">,
  attempts: number | undefined,
): boolean {
  if (queueStateOf(task) !== "failed" || attempts === undefined) return true;
  return (task.attempts ?? 0) < attempts;
}

/** The workers without a task and without a starting step, `agent-1` first. */
export function freeWorkers(
  { tasks }: Pick<SessionState, "tasks">,
  starting: readonly (string | undefined)[],
  parallel: number,
): string[] {
  const working = tasks.filter(isClaimed).map(({ claimed }) => claimed?.worker);
  const busy = new Set([...working, ...starting]);
  const names = Array.from({ length: parallel }, (_, index) => `agent-${index + 1}`);
  return names.filter((name) => !busy.has(name));
}
