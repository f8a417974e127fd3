import { removeHomes } from "../../agents/call/open-home.ts";
import type { StepOf } from "../../core/decide/step.ts";
import { uncommittedRepair } from "../../core/state/repairs.ts";
import { taskOf, uncommittedPass } from "../../core/state/session-state.ts";
import { writePack } from "../../git/commits/bundle.ts";
import { keepTree, missingObjects } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { bundledObjects, packFile } from "../bundle/bundled-objects.ts";
import { record, type SessionContext, updateViews } from "../loop/session-context.ts";
import { forgetSetUp } from "../workers/set-up-worker.ts";
import { closeWorkers, openWorker } from "../workers/workers.ts";
import { commitFix } from "./commit-fix.ts";
import { keepRunning, returnToHead } from "./keep-work.ts";
import { commitPass } from "./pass-task.ts";

/** A task starts on the journal's head; in parallel sessions, in the work tree of its worker. */
export async function startTask(session: SessionContext, { task, worker }: StepOf<"start-task">) {
  const { head, headTree: tree } = session.journal.state;
  if (worker !== undefined) {
    if ((await openWorker(session, worker, { commit: head, tree })) !== "ready") return;
    await record(session, { type: "task_claimed", task, worker, base: head });
  }
  const resumed = await resumeWork(session, task);
  await record(session, { type: "task_start", task, tree, ...(resumed && { resumed }) });
  // Other tools see who has the task before its agent begins.
  if (session.config.compat.emit.length > 0) await updateViews(session);
}

/** Puts back the work that a role had finished before the session stopped, if it started from this commit. */
async function resumeWork(session: SessionContext, id: string): Promise<string | undefined> {
  const { journal, repo } = session;
  const { checkpoint } = taskOf(journal.state, id);
  if (session.policy.parallel > 1 || checkpoint?.base !== journal.state.headTree) return undefined;
  const { tree, parts } = checkpoint;
  const needed = [tree, ...(parts ? [parts.tests, parts.work] : [])];
  if ((await missingObjects(repo, needed)).length > 0) return undefined;
  await resetTo(repo, tree);
  return tree;
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
  const after = session.journal.state.seq;
  const random = Number.parseInt(system.randomHex(2), 16) / 0xffff;
  const ms = Math.round(step.because === "backoff" ? step.ms * (1 + jitter * random) : step.ms);
  const until = new Date(system.clock.now() + ms).toISOString();
  await record(session, { type: "wait", because: step.because, after, ms, until });
  await updateViews(session);
  await system.clock.sleep(ms, cancel);
}

/** The end of every session: keeps interrupted work, restores the work tree and completes the bundle. */
export async function endSession(session: SessionContext, step: StepOf<"end">): Promise<void> {
  const { journal, repo, folder } = session;
  const passed = uncommittedPass(journal.state);
  // Without resuming this session, its work would be found nowhere else.
  if (passed) await commitPass(session, { kind: "commit", task: passed.task.id });
  if (uncommittedRepair(journal.state)) await commitFix(session);
  await keepRunning(session);
  const { reason, message } = step;
  await record(session, { type: "session_end", reason, message }, { durable: true });
  await updateViews(session);
  await returnToHead(session);
  // Documents say in the work tree what has become of tasks that did not pass.
  await updateViews(session);
  const objects = await bundledObjects(session.system.files(folder), journal.state);
  await writePack(repo, { file: `${folder}/${packFile}`, ...objects });
  if (session.workers.size > 0) await closeWorkers(session);
  await removeHomes(session.system, session.homes);
}

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
