import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { leftOutTasks } from "../../core/state/steer.ts";
import type { StopReason } from "../../error.ts";
import type { SessionFile } from "../../schema/session-files/session.ts";

/** How a session stands, in the words of `--json`, the action's output and the reports (design 7). */
const outcomes = [
  "running",
  "completed",
  "partial",
  "nothing_to_do",
  "blocked",
  "failed",
  "aborted",
] as const;
export type Outcome = (typeof outcomes)[number];

/** Ends that stop between two tasks on purpose: what passed is committed, the rest can go on. */
const orderly: readonly StopReason[] = ["checkpoint", "budget", "max_runtime"];

export function outcomeOf(state: SessionState): Outcome {
  const { end, tasks } = state;
  if (!end) return "running";
  switch (end.reason) {
    case "all_done":
      return isWhole(state) ? "completed" : "partial";
    case "nothing_to_do":
    case "blocked":
      return end.reason;
    case "cancelled":
      return "aborted";
    case "task_failed":
      return tasks.some(isPassedNow) ? "partial" : "failed";
    default:
      return orderly.includes(end.reason) ? "partial" : "failed";
  }
}

/** Where people have left tasks out, the rest is not all of it. */
const isWhole = (state: SessionState) => leftOutTasks(state).length === 0;

const isPassedNow = ({ state, passedBefore }: TaskState) => state === "passed" && !passedBefore;

/** The same in the four words of session.json and the run record (compatibility 1.2). */
export function sessionStatusOf(state: SessionState): SessionFile["status"] {
  const { end } = state;
  if (!end) return "running";
  if (end.reason === "all_done" || end.reason === "nothing_to_do") {
    return isWhole(state) ? "completed" : "aborted";
  }
  return end.reason === "cancelled" || orderly.includes(end.reason) ? "aborted" : "failed";
}
