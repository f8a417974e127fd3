import { taskOf } from "../../core/state/session-state.ts";
import { keepTree } from "../../git/trees/keep-tree.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import type { StepOf } from "../loop/step-of.ts";
import { forgetSetUp } from "../workers/set-up-worker.ts";
import { returnToHead } from "./keep-work.ts";

/** A task failed or is blocked: its work is kept as a named tree, and the work tree is restored (design 4). */
export async function giveUp(session: SessionContext, step: StepOf<"give-up">): Promise<void> {
  const { task: id, as, message } = step;
  const { tree, base } = taskOf(session.journal.state, id);
  const kept = tree === base ? {} : { kept: tree };
  const type = as === "failed" ? "task_failed" : "task_blocked";
  if (kept.kept) await keepTree(session.repo, kept.kept);
  await record(session, { type, task: id, message, ...kept }, { durable: true });
  await returnToHead(session);
  if (session.worker) forgetSetUp(session);
  await updateViews(session);
}
