import type { SessionState, TaskState } from "../core/state/session-state.ts";
import type { Repository } from "../git/repository/repository.ts";
import { diffTrees } from "../git/trees/diff-trees.ts";
import type { SessionStore } from "../journal/session-store.ts";
import type { System } from "../platform/system.ts";
import { openSide } from "../session/open/open-side.ts";

/** Only names are read; a longer list is cut. */
const maxDiffBytes = 4 * 1024 * 1024;

/** The paths that running tasks have changed so far, by task id. Each pair of trees is compared once. */
export function createChangedPaths(system: System, place: { root: string; store: SessionStore }) {
  const known = new Map<string, readonly string[]>();
  return async ({ tasks }: SessionState): Promise<ReadonlyMap<string, readonly string[]>> => {
    const changed = tasks.filter(isChanged);
    const missing = changed.filter((task) => !known.has(keyOf(task)));
    if (missing.length > 0) {
      await using repo = await openSide(system, place);
      for (const task of missing) known.set(keyOf(task), await pathsOf(repo, task));
    }
    return new Map(changed.map((task) => [task.task.id, known.get(keyOf(task)) ?? []]));
  };
}

const isChanged = ({ state, base, tree }: TaskState) => state === "running" && base !== tree;

const keyOf = ({ base, tree }: TaskState) => `${base}..${tree}`;

async function pathsOf(repo: Repository, { base: from, tree: to }: TaskState): Promise<string[]> {
  const { files } = await diffTrees(repo, { from, to, maxBytes: maxDiffBytes });
  return files.map(({ path }) => path);
}
