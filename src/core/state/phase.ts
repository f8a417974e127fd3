import type { Phase } from "../../schema/base/phase.ts";
import { type SessionState, type TaskState, uncommittedPass } from "./session-state.ts";

/** Stop reasons that leave work without a failure: neither complete nor failed (compatibility 1.2). */
const stopped = ["cancelled", "checkpoint", "budget", "max_runtime"];

/** `executing` or `fixing` while an agent works, `verifying` while ralph judges (compatibility 7). Pure. */
export function phaseOf(state: SessionState): Phase {
  if (state.end) return endPhase(state.end.reason);
  const current = currentTask(state);
  if (current) return taskPhase(current);
  if (state.repairs?.open) return "fixing";
  if (uncommittedPass(state)) return "verifying";
  return state.tasks.some(({ startedAt }) => startedAt !== undefined) ? "executing" : "starting";
}

/** The running task. */
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
