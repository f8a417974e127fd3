import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { leftOutTasks } from "../../core/state/steer.ts";
import type { StopReason } from "../../error.ts";
import type { SessionFile } from "../../schema/session-files/session.ts";

/** The status of a session as `--json`, the action's output and the reports show it (design 7). */
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

/** Planned stops between two tasks: passed tasks are committed, and the session can be resumed. */
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

const isWhole = (state: SessionState) => leftOutTasks(state).length === 0;

const isPassedNow = ({ state, passedBefore }: TaskState) => state === "passed" && !passedBefore;

/** The status by the four names of session.json and the run record (compatibility 1.2). */
export function sessionStatusOf(state: SessionState): SessionFile["status"] {
  const { end } = state;
  if (!end) return "running";
  if (end.reason === "all_done" || end.reason === "nothing_to_do") {
    return isWhole(state) ? "completed" : "aborted";
  }
  return end.reason === "cancelled" || orderly.includes(end.reason) ? "aborted" : "failed";
}
