import { taskOf } from "../../core/state/session-state.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import type { StepOf } from "../loop/step-of.ts";
import { openWorker } from "../workers/workers.ts";

/** A task starts on the journal's head; in parallel sessions, in the work tree of its worker. */
export async function startTask(
  session: SessionContext,
  { task, worker }: StepOf<"start-task">,
): Promise<void> {
  const { head, headTree: tree } = session.journal.state;
  if (worker !== undefined) {
    if ((await openWorker(session, worker, { commit: head, tree })) !== "ready") return;
    await record(session, { type: "task_claimed", task, worker, base: head });
  }
  await record(session, { type: "task_start", task, tree });
}

/** Records a failed iteration; the next prompt says why it failed. */
export function retry(session: SessionContext, { task, failure }: StepOf<"retry">): Promise<void> {
  const { iteration, tree } = taskOf(session.journal.state, task);
  return record(session, { type: "iteration_failed", task, iteration, tree, ...failure });
}

/** Adds up to a quarter to a back-off, so that several runners do not return at the same moment. */
const jitter = 0.25;

/** Journals the end of the wait, then waits; a cancellation ends the wait at once. */
export async function wait(session: SessionContext, step: StepOf<"wait">): Promise<void> {
  const { system, cancel } = session;
  const random = Number.parseInt(system.randomHex(2), 16) / 0xffff;
  const ms = Math.round(step.because === "backoff" ? step.ms * (1 + jitter * random) : step.ms);
  const until = new Date(system.clock.now() + ms).toISOString();
  await record(session, { type: "wait", because: step.because, ms, until });
  await updateViews(session);
  await system.clock.sleep(ms, cancel);
}
