import type { Problem } from "../error.ts";
import { type Store, sessionIds } from "../journal/store.ts";
import type { Dialect, ForeignRun, ForeignTree } from "../surfaces/dialects/dialect.ts";
import { dialects } from "../surfaces/dialects/dialects.ts";
import type { System } from "../system/system.ts";
import { readForeign } from "./foreign-tree.ts";

/** A run of another tool, told by its files. */
export type SeenForeign = { dialect: Dialect; tree: ForeignTree; run: ForeignRun };

export type ForeignLook = { runs: SeenForeign[]; problems: Problem[] };

type Place = { root: string; store: Store };

/** The runs other tools tell of in a project, and the files of theirs that cannot be read. Our own sessions are left out. */
export async function readForeignRuns(
  system: Pick<System, "files" | "clock">,
  { root, store }: Place,
  among: readonly Dialect[] = dialects,
): Promise<ForeignLook> {
  const own = new Set(await sessionIds(store));
  const now = new Date(system.clock.now()).toISOString();
  const runs: SeenForeign[] = [];
  const problems: Problem[] = [];
  for (const dialect of among) {
    const state = await readForeign(system.files(root), dialect);
    problems.push(...state.problems);
    for (const run of dialect.read(state.tree, now)) {
      if (!own.has(run.id ?? "")) runs.push({ dialect, tree: state.tree, run });
    }
  }
  return { runs, problems };
}
