import type { Phase } from "../../schema/base/phase.ts";
import { type SessionState, type TaskState, uncommittedPass } from "./session-state.ts";

/** Stopped on purpose with work left: neither complete nor a failure (compatibility 1.2). */
const stopped = ["cancelled", "checkpoint", "budget", "max_runtime"];

/** Pure. Agents work: executing, or fixing after a failed iteration; we judge: verifying (compatibility 7). */
export function phaseOf(state: SessionState): Phase {
  if (state.end) return endPhase(state.end.reason);
  const current = currentTask(state);
  if (current) return taskPhase(current);
  if (uncommittedPass(state)) return "verifying";
  return state.tasks.some(({ startedAt }) => startedAt !== undefined) ? "executing" : "starting";
}

/** The task under way. */
export function currentTask({ tasks }: Pick<SessionState, "tasks">): TaskState | undefined {
  return tasks.find(({ state }) => state === "running");
}

function endPhase(reason: string): Phase {
  if (reason === "all_done" || reason === "nothing_to_do") return "complete";
  return stopped.includes(reason) ? "cancelled" : "failed";
}

function taskPhase({ task, done, base, tree, lastFailure }: TaskState): Phase {
  const needsTests = task.requiresTests !== false && base !== tree;
  const isWritten = done.implementation && (done.tests || !needsTests);
  if (isWritten) return "verifying";
  return lastFailure ? "fixing" : "executing";
}
