import { dialects } from "../dialects/dialects.ts";
import { RalphError } from "../error.ts";
import type { System } from "../platform/system.ts";
import { readForeignRuns, type FoundForeignRun } from "./foreign-runs.ts";
import { writeForeign } from "./open-dialects.ts";

/**
 * Ends runs of other tools the way each of them has it, in its own files; no other run of theirs is touched (specs 000,
 * "cancel"). Answers which were told to end.
 */
export async function cancelForeignRuns(
  system: System,
  { root }: { root: string },
  id: string | undefined,
): Promise<FoundForeignRun[]> {
  const now = new Date(system.clock.now()).toISOString();
  const { runs } = await readForeignRuns(system, { root });
  const told: FoundForeignRun[] = [];
  for (const dialect of dialects) {
    const active = runs.filter((each) => each.dialect === dialect && each.run.isActive);
    const [first] = active;
    // Which of several is meant, where no name is given, is for the dialect to say.
    const files = first ? dialect.cancel(first.tree, { id, now }) : [];
    if (files.length === 0) continue;
    const result = await writeForeign(system.files(root), files);
    if (result.kind === "held") throw lockHeldError(result.lock);
    told.push(...active.filter(({ run }) => files.some(({ path }) => isWithin(run, path))));
  }
  return told;
}

/** A run is told by a file, or by a folder of them. */
const isWithin = (run: { path: string }, path: string) =>
  path === run.path || path.startsWith(`${run.path}/`);

const lockHeldError = (lock: string) =>
  new RalphError("claim", {
    message: `Another program has held ${lock} for ten seconds.`,
    remedy: `See who it is with \`fuser ${lock}\`, then cancel again.`,
  });
