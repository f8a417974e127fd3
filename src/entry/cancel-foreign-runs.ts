import { dialects } from "../dialects/dialects.ts";
import { RalphError } from "../error.ts";
import type { System } from "../platform/system.ts";
import { type FoundForeignRun, readForeignRuns } from "./foreign-runs.ts";
import { writeForeign } from "./open-dialects.ts";

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

/** A run has a file, or a folder of files. */
const isWithin = (run: { path: string }, path: string) =>
  path === run.path || path.startsWith(`${run.path}/`);
