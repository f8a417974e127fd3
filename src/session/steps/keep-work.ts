import type { TaskState } from "../../core/state/session-state.ts";
import { keepTree } from "../../git/trees/objects.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { stageChanges, writeTree } from "../../git/worktree/stage.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { seeChanges } from "../loop/see-changes.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { asWorker } from "../workers/workers.ts";

/** Snapshots the work tree as it is, so that no work of an interrupted task is lost. */
export async function snapshotWork(session: SessionContext): Promise<string> {
  const { repo } = session;
  const seen = await seeChanges(session);
  await restorePaths(repo, [...seen.nested, ...seen.filtered]);
  return stageChanges(repo, { tree: await writeTree(repo), changes: seen.changes });
}

/** Protects a snapshot from pruning and journals it, under its task if there is one. */
export async function keepWork(session: SessionContext, tree: string, task?: string) {
  await keepTree(session.repo, tree);
  await record(session, { type: "work_kept", tree, ...(task && { task }) }, { durable: true });
}

/** The running task in the session's own work tree; workers have their own. */
export const taskHere = ({ journal }: SessionContext): string | undefined =>
  journal.state.tasks.find(({ state, claimed }) => state === "running" && !claimed)?.task.id;

/** While agents use other work trees: keeps foreign changes of the project's own one and warns. Answers whether there were any. */
export async function stashForeignChanges(session: SessionContext): Promise<boolean> {
  const { changes, nested, filtered } = await seeChanges(session);
  if (changes.length + nested.length + filtered.length === 0) return false;
  const tree = await snapshotWork(session);
  await keepWork(session, tree);
  const message = `Files of the project were changed while agents worked in their own work trees. The changes are kept: \`git diff ${session.journal.state.head.slice(0, 12)} ${tree}\` shows them.`;
  await record(session, { type: "warning", message });
  return true;
}

/** Keeps the work of every running task, in parallel, and of the repair under way. */
export async function keepRunning(session: SessionContext): Promise<void> {
  const running = session.journal.state.tasks.filter(({ state }) => state === "running");
  const here = running.filter(({ claimed }) => !claimed);
  const elsewhere = running.filter(({ claimed }) => claimed);
  // When one cannot be kept, the others are, before the error ends the session.
  const ends = await Promise.allSettled(elsewhere.map((task) => keepOf(session, task)));
  const broken = ends.find(({ status }) => status === "rejected");
  if (broken?.status === "rejected") throw broken.reason;
  const isRepairing = session.journal.state.repairs?.open && !session.policy.verify?.isInPlace;
  if (here.length > 0 || isRepairing) {
    const tree = await snapshotWork(session);
    if (tree !== session.journal.state.headTree) await keepWork(session, tree, here[0]?.task.id);
  } else if (session.policy.parallel > 1) {
    await stashForeignChanges(session);
  }
}

async function keepOf(session: SessionContext, { task, base, claimed }: TaskState): Promise<void> {
  if (!claimed || !session.workers.has(claimed.worker)) return;
  const tree = await snapshotWork(asWorker(session, claimed.worker));
  if (tree !== base) await keepWork(session, tree, task.id);
}

/** Resets the work tree, the index and HEAD to the journal's head (design 4); repairs in place stay out of the index. */
export async function returnToHead({ repo, journal, policy }: SessionContext): Promise<void> {
  await resetTo(repo, journal.state.headTree);
  if (policy.verify?.isInPlace) return;
  await syncUserIndex(repo);
}
