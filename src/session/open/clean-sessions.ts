import type { RunEvent } from "../../core/state/event.ts";
import { RalphError } from "../../error.ts";
import { dropTrees } from "../../git/trees/objects.ts";
import { replayJournal } from "../../journal/journal.ts";
import {
  oldSessions,
  type Retention,
  type SessionStore,
  sessionIds,
} from "../../journal/session-store.ts";
import type { System } from "../../platform/system.ts";
import { keepSpending } from "../loop/day-spending.ts";
import { removeWorkers } from "../workers/workers.ts";
import { type LocatedProject, openSide } from "./locate-project.ts";

/** The removed sessions, by id, and the ids of trees that were kept for them. */
export type Cleaned = { sessions: string[]; trees: string[] };

/** Removes expired sessions and trees only they kept (design 2). Trees go first, so a repeated call finishes. The caller holds the lock. */
export async function cleanSessions(
  system: System,
  { root, store }: LocatedProject,
  retention: Retention,
): Promise<Cleaned> {
  const sessions = await oldSessions(store, retention);
  const trees = await treesOnlyOf(store, sessions);
  if (trees.length > 0) {
    await using repo = await openSide(system, { root, store });
    await dropTrees(repo, trees);
  }
  await keepSpending(store, { sessions, now: retention.now });
  for (const id of sessions) {
    await removeWorkers(system, store.files, id);
    await store.files.remove(`sessions/${id}`);
  }
  return { sessions, trees };
}

async function treesOnlyOf(store: SessionStore, sessions: readonly string[]): Promise<string[]> {
  const trees = await keptTrees(store, sessions);
  if (trees.length === 0) return [];
  const staying = (await sessionIds(store)).filter((id) => !sessions.includes(id));
  const needed = new Set(await keptTrees(store, staying));
  return [...new Set(trees)].filter((tree) => !needed.has(tree));
}

async function keptTrees(store: SessionStore, ids: readonly string[]): Promise<string[]> {
  const trees: string[] = [];
  for (const id of ids) {
    try {
      await replayJournal(store.session(id), (event) => {
        trees.push(...treesOf(event));
      });
    } catch (error) {
      // A broken journal does not keep a session; its events up to the break count.
      if (!(error instanceof RalphError)) throw error;
    }
  }
  return trees;
}

function treesOf(event: RunEvent): string[] {
  if (event.type === "work_kept") return [event.tree];
  const isGivenUp = event.type === "task_failed" || event.type === "task_blocked";
  return isGivenUp && event.kept !== undefined ? [event.kept] : [];
}
