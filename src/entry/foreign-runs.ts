import type { Dialect, ForeignRun, ForeignTree } from "../dialects/dialect.ts";
import { dialects } from "../dialects/dialects.ts";
import type { Problem } from "../error.ts";
import type { System } from "../platform/system.ts";
import { SessionId } from "../schema/base/identity.ts";
import { readForeign } from "./foreign-tree.ts";

/** A run of another tool, found by its files. */
export type FoundForeignRun = { dialect: Dialect; tree: ForeignTree; run: ForeignRun };

export type ForeignRuns = { runs: FoundForeignRun[]; problems: Problem[] };

/**
 * The runs of other tools in a project, and the problems of their files. Runs named like ralph's sessions are left out:
 * ralph wrote them, and its lock shows whether one is active.
 */
export async function readForeignRuns(
  system: Pick<System, "files" | "clock">,
  { root }: { root: string },
  among: readonly Dialect[] = dialects,
): Promise<ForeignRuns> {
  const now = new Date(system.clock.now()).toISOString();
  const runs: FoundForeignRun[] = [];
  const problems: Problem[] = [];
  for (const dialect of among) {
    const state = await readForeign(system.files(root), dialect);
    problems.push(...state.problems);
    for (const run of dialect.read(state.tree, now)) {
      if (!isOurs(run)) runs.push({ dialect, tree: state.tree, run });
    }
  }
  return { runs, problems };
}

const isOurs = ({ id }: ForeignRun) => SessionId.safeParse(id).success;
