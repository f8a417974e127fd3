import { changesSince } from "../../git/changes.ts";
import { keepTree } from "../../git/keep-tree.ts";
import { putBack } from "../../git/put-back.ts";
import { resetTo } from "../../git/reset.ts";
import { restorePaths } from "../../git/restore.ts";
import { stageChanges, writeTree } from "../../git/stage.ts";
import { syncUserIndex } from "../../git/sync-user-index.ts";
import { positionOf, record, type Session } from "../session.ts";

/** Snapshots what is in the work tree now, whatever it is, so that nothing an interrupted task did is lost. */
export async function snapshotWork({ repo, journal }: Session): Promise<string> {
  const seen = await changesSince(repo, positionOf(journal));
  if (seen.headMoved) await putBack(repo, positionOf(journal));
  await restorePaths(repo, [...seen.nested, ...seen.filtered]);
  return stageChanges(repo, { tree: await writeTree(repo), changes: seen.changes });
}

/** Keeps a snapshot from being pruned and journals it, under the task that was under way if there was one. */
export async function keepWork(session: Session, tree: string): Promise<void> {
  const { repo, journal } = session;
  await keepTree(repo, tree);
  const task = journal.run.tasks.find(({ state }) => state === "running")?.task.id;
  await record(session, { type: "work_kept", tree, ...(task && { task }) }, { durable: true });
}

/** Puts the work tree, the index and HEAD back to the journal's head (design 4). */
export async function returnToHead({ repo, journal }: Session): Promise<void> {
  await resetTo(repo, journal.run.headTree);
  await syncUserIndex(repo);
}
