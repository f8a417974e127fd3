import type { Dialect, ForeignFile, ForeignRun, ForeignTree } from "../dialects/dialect.ts";
import { chosenDialects, dialects } from "../dialects/dialects.ts";
import { type Problem, RalphError, visible } from "../error.ts";
import { updateLocked } from "../platform/locks/file-locks.ts";
import type { Files, System } from "../platform/system.ts";
import { SessionId } from "../schema/base/fields.ts";
import type { Config } from "../schema/config/config.ts";
import type { WriteResult } from "./dialect-lane.ts";
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

/**
 * Nothing starts while another tool's run is active (exit 24): two runs in one checkout would undo each other's work. Only
 * tools in `compat.emit` count.
 */
export async function requireNoForeignRun(
  system: System,
  place: { root: string },
  config: Config,
): Promise<void> {
  const { runs } = await readForeignRuns(system, place, chosenDialects(config.compat.emit));
  const other = runs.find(({ run }) => run.isActive);
  if (!other) return;
  const { id, path, detail } = other.run;
  const run = id === undefined ? "a run" : `run ${id}`;
  const session = id === undefined ? "" : ` --session ${id}`;
  throw new RalphError("claim", {
    message: `${other.dialect.name} is working on this project: ${run} (${detail}), see ${visible(path)}.`,
    remedy: `Wait until it ends, or end it with \`ralph cancel${session}\`.`,
  });
}

/** Writes files of other tools under their locks, or returns the lock that another program holds. */
export async function writeForeign(
  files: Files,
  wanted: readonly ForeignFile[],
  waitMs?: number,
): Promise<WriteResult> {
  const result = await updateLocked(files, wanted, waitMs);
  if (result.kind === "held") return result;
  return { kind: "written", isRespected: result.mechanism === "flock" };
}

/**
 * Ends active runs of other tools by writing to their own files, as each tool expects it (specs 000, "cancel"). Returns
 * the runs that were asked to end.
 */
export async function cancelForeignRuns(
  system: System,
  { root }: { root: string },
  id: string | undefined,
): Promise<FoundForeignRun[]> {
  const now = new Date(system.clock.now()).toISOString();
  const { runs } = await readForeignRuns(system, { root });
  const cancelled: FoundForeignRun[] = [];
  for (const dialect of dialects) {
    const active = runs.filter((each) => each.dialect === dialect && each.run.isActive);
    const [first] = active;
    // Without an id the dialect chooses among several runs.
    const files = first ? dialect.cancel(first.tree, { id, now }) : [];
    if (files.length === 0) continue;
    const result = await writeForeign(system.files(root), files);
    if (result.kind === "held") {
      throw new RalphError("claim", {
        message: `Another program has held ${result.lock} for ten seconds.`,
        remedy: `Find the program with \`fuser ${result.lock}\`, then cancel again.`,
      });
    }
    cancelled.push(...active.filter(({ run }) => files.some(({ path }) => isWithin(run, path))));
  }
  return cancelled;
}

const isWithin = (run: { path: string }, path: string) =>
  path === run.path || path.startsWith(`${run.path}/`);
