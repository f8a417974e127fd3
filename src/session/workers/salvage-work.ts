import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { RalphError, unlessBug } from "../../error.ts";
import { remakeSideIndex, reopenSideWorktree } from "../../git/open/side-worktree.ts";
import type { Repository } from "../../git/repository/repository.ts";
import { keepTree } from "../../git/trees/objects.ts";
import { changesSince } from "../../git/worktree/changes.ts";
import { restorePaths } from "../../git/worktree/restore.ts";
import { stageChanges, writeTree } from "../../git/worktree/stage.ts";
import { reopenJournal, replayJournal } from "../../journal/journal.ts";
import { type SessionStore, sessionIds } from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { removeWorkers, workersFolder } from "./workers.ts";

/** Work of a task that was in a worker's work tree when the process was killed. */
export type SalvagedWork = { task: string; tree: string };

/** The work that workers of a killed session left behind, as trees; removes nothing. */
export async function findLeftWork(
  repo: Repository,
  { state, store }: { state: SessionState; store: string },
): Promise<SalvagedWork[]> {
  const running = state.tasks.filter(({ state, claimed }) => state === "running" && claimed);
  const found: SalvagedWork[] = [];
  for (const task of running) {
    const folder = `${store}/${workersFolder(state.session.session_id)}/${task.claimed?.worker}`;
    const side = await reopenSideWorktree(repo, folder);
    const tree = side && (await treeOf(side, task));
    if (tree !== undefined && isNews(state, task, tree)) found.push({ task: task.task.id, tree });
  }
  return found;
}

const isNews = ({ headTree }: SessionState, { base, kept }: TaskState, tree: string) =>
  ![headTree, base, kept].includes(tree);

/** A kill may have broken the index; it is then remade and the files are read again. */
function treeOf(side: Repository, { claimed, base }: TaskState): Promise<string> {
  return treeIn(side).catch(async (error) => {
    if (!(error instanceof RalphError)) throw error;
    await remakeSideIndex(side, claimed?.base ?? base);
    return treeIn(side);
  });
}

async function treeIn(side: Repository): Promise<string> {
  const seen = await changesSince(side, { branch: "", commit: "" });
  await restorePaths(side, [...seen.nested, ...seen.filtered]);
  return stageChanges(side, { tree: await writeTree(side), changes: seen.changes });
}

/** Removes work trees of sessions that are not resumed, and keeps the work left there. The caller holds the lock. */
export async function sweepWorkers(
  { clock }: Pick<System, "clock">,
  { repo, store }: { repo: Repository; store: SessionStore },
): Promise<void> {
  const known = new Set(await sessionIds(store));
  for (const id of await store.files.list("workers")) {
    const isSafe = !known.has(id) || (await salvageInto(store, id, { repo, clock }));
    if (isSafe) await removeWorkers(repo.system, store.files, id);
  }
}

/** False when the journal or the work tree is broken and its work unknown; the folder then stays until its session goes. */
async function salvageInto(
  store: SessionStore,
  id: string,
  { repo, clock }: Pick<System, "clock"> & { repo: Repository },
): Promise<boolean> {
  const files = store.session(id);
  const replay = await replayJournal(files).catch(() => undefined);
  if (!replay) return false;
  const { state } = replay;
  const salvaged = await findLeftWork(repo, { state, store: store.folder }).catch(unlessBug);
  if (!salvaged) return false;
  if (salvaged.length === 0) return true;
  await using journal = await reopenJournal({ files, clock }, replay);
  for (const { task, tree } of salvaged) {
    await keepTree(repo, tree);
    await journal.append({ type: "work_kept", task, tree }, { durable: true });
  }
  return true;
}
