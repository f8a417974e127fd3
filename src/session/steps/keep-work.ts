import type { TaskState } from "../../core/state/session-state.ts";
import { keepTree } from "../../git/trees/keep-tree.ts";
import { resetTo } from "../../git/worktree/reset.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { stageChanges, writeTree } from "../../git/worktree/stage.ts";
import { syncUserIndex } from "../../git/worktree/sync-user-index.ts";
import { seeChanges } from "../loop/see-changes.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { asWorker } from "../workers/workers.ts";

/** Snapshots what is in the work tree now, whatever it is, so that nothing an interrupted task did is lost. */
export async function snapshotWork(session: SessionContext): Promise<string> {
  const { repo } = session;
  const seen = await seeChanges(session);
  await restorePaths(repo, [...seen.nested, ...seen.filtered]);
  return stageChanges(repo, { tree: await writeTree(repo), changes: seen.changes });
}

/** Keeps a snapshot from being pruned and journals it, under the task whose it is if there is one. */
export async function keepWork(
  session: SessionContext,
  tree: string,
  task?: string,
): Promise<void> {
  await keepTree(session.repo, tree);
  await record(session, { type: "work_kept", tree, ...(task && { task }) }, { durable: true });
}

/** The task under way in the session's own work tree; those of workers have theirs. */
export const taskHere = ({ journal }: SessionContext): string | undefined =>
  journal.state.tasks.find(({ state, claimed }) => state === "running" && !claimed)?.task.id;

/**
 * Where agents work elsewhere: keeps what somebody has changed in the project's own work tree meanwhile, and says so.
 * Answers whether there was anything.
 */
export async function stashForeignChanges(session: SessionContext): Promise<boolean> {
  const { changes, nested, filtered } = await seeChanges(session);
  if (changes.length + nested.length + filtered.length === 0) return false;
  const tree = await snapshotWork(session);
  await keepWork(session, tree);
  const message = `Files of the project were changed while agents worked in work trees of their own. What was there is kept: \`git diff ${session.journal.state.head.slice(0, 12)} ${tree}\` shows it.`;
  await record(session, { type: "warning", message });
  return true;
}

/** Keeps what every task under way has come to, side by side. */
export async function keepRunning(session: SessionContext): Promise<void> {
  const running = session.journal.state.tasks.filter(({ state }) => state === "running");
  const here = running.filter(({ claimed }) => !claimed);
  const elsewhere = running.filter(({ claimed }) => claimed);
  // Where one cannot be kept, the others are, before that ends the session.
  const ends = await Promise.allSettled(elsewhere.map((task) => keepOf(session, task)));
  const broken = ends.find(({ status }) => status === "rejected");
  if (broken?.status === "rejected") throw broken.reason;
  if (here.length > 0) {
    const tree = await snapshotWork(session);
    if (tree !== session.journal.state.headTree) await keepWork(session, tree, here[0]?.task.id);
  } else if (session.workers.size > 0) {
    await stashForeignChanges(session);
  }
}

async function keepOf(session: SessionContext, { task, base, claimed }: TaskState): Promise<void> {
  if (!claimed || !session.workers.has(claimed.worker)) return;
  const tree = await snapshotWork(asWorker(session, claimed.worker));
  if (tree !== base) await keepWork(session, tree, task.id);
}

/** Puts the work tree, the index and HEAD back to the journal's head (design 4). */
export async function returnToHead({ repo, journal }: SessionContext): Promise<void> {
  await resetTo(repo, journal.state.headTree);
  await syncUserIndex(repo);
}
