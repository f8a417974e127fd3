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

const actions: Record<StopReason, string> = {
  all_done: "Look at the commits, then open a pull request with `ralph publish`.",
  nothing_to_do: "Add a task, or set `passes` to false on a task to repeat it.",
  config: "Fix the error in the message, then run `ralph run` again.",
  source: "Run `ralph validate`, fix the task list, then run `ralph run` again.",
  task_failed: "Read the log of the failed task, adjust the task, then run `ralph run --resume`.",
  blocked: "Remove the reason the task is blocked, then run `ralph run --resume`.",
  gate_fatal: "Fix the gate on the start commit, then run `ralph run --resume`.",
  post_verify:
    "Fix the findings of the verification, or let agents try again with `ralph run --resume`.",
  tampering: "Find out which process changed the file, then start again with `ralph run`.",
  cancelled: "Continue with `ralph run --resume`.",
  agent_error: "Run the agent program by hand: it never answered. Its output is in the logs.",
  service: "Start the service by hand and look at its log.",
  no_report: "Put a report into the reports folder.",
  analysis: "Read the analysis log, then run `ralph autopilot` again.",
  prd: "Read the planning log, then run `ralph autopilot` again.",
  tasks: "Adjust `autopilot.tasks`, then run `ralph autopilot` again.",
  git: "Fix the repository as the message says, then run again.",
  pr: "Give the token permission to open pull requests, then run `ralph publish`.",
  breaker: "Wait or fix the agent program, then run `ralph run --resume`.",
  budget: "Follow the message about the budget; every passed task is committed.",
  max_runtime: "Continue with `ralph run --resume`.",
  checkpoint: "Continue with `ralph run --resume`; every passed task is committed.",
  claim: "Wait for the other session to end, or end it with `ralph cancel`.",
  firewall: "Look at the patch that the publisher rejected.",
};

/** The one thing to do next, as a sentence in the imperative. */
export function nextAction(reason: StopReason | null): string {
  return reason === null ? "Wait, or follow it with `ralph status --watch`." : actions[reason];
}
