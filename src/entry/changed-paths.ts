import type { SessionState, TaskState } from "../core/state/session-state.ts";
import { diffTrees } from "../git/trees/diff-trees.ts";
import type { SessionStore } from "../journal/session-store.ts";
import type { System } from "../platform/system.ts";
import { openSide } from "../session/open/locate-project.ts";

/** Only names are read; a longer list is cut. */
const maxDiffBytes = 4 * 1024 * 1024;

/** The paths that running tasks have changed so far, by task id. Each pair of trees is compared once. */
export function createChangedPaths(system: System, place: { root: string; store: SessionStore }) {
  const known = new Map<string, readonly string[]>();
  return async ({ tasks }: SessionState): Promise<ReadonlyMap<string, readonly string[]>> => {
    const changed = tasks.filter(({ state, base, tree }) => state === "running" && base !== tree);
    const missing = changed.filter((task) => !known.has(keyOf(task)));
    if (missing.length > 0) {
      await using repo = await openSide(system, place);
      for (const { base, tree } of missing) {
        const { files } = await diffTrees(repo, { from: base, to: tree, maxBytes: maxDiffBytes });
        known.set(
          keyOf({ base, tree }),
          files.map(({ path }) => path),
        );
      }
    }
    return new Map(changed.map((task) => [task.task.id, known.get(keyOf(task)) ?? []]));
  };
}

const keyOf = ({ base, tree }: Pick<TaskState, "base" | "tree">) => `${base}..${tree}`;
