import type { SessionState } from "../core/state/session-state.ts";
import type { DialectName, SettleRequest } from "../dialects/dialect.ts";
import { dialects } from "../dialects/dialects.ts";
import { RalphError } from "../error.ts";
import type { System } from "../platform/system.ts";
import { writeForeign } from "./foreign-runs.ts";
import { readForeign } from "./foreign-tree.ts";

/** A session that is about to write its files again, for the dialects in `emit`. */
type Resumed = { state: SessionState; emit: readonly DialectName[] };

/**
 * Settles the files of all tools that show a session of ralph's as active although it ended without a last write: it was
 * killed, or a lock was held to its end. Only for the holder of ralph's lock. Returns the settled files, as paths below
 * the project root, and remarks on those that could not be settled.
 */
export async function settleSessions(
  system: Pick<System, "files" | "clock">,
  { root }: { root: string },
  resumed?: Resumed,
): Promise<{ paths: string[]; remarks: string[] }> {
  const now = resumed ? beginningOf(resumed.state) : new Date(system.clock.now()).toISOString();
  const files = system.files(root);
  const settled = { paths: [] as string[], remarks: [] as string[] };
  const requestFor = (name: DialectName): SettleRequest =>
    resumed?.emit.includes(name)
      ? { now, ...resumptionOf(resumed.state) }
      : { now, resumed: undefined };
  for (const dialect of dialects) {
    if (!dialect.settle) continue;
    const { tree } = await readForeign(files, dialect);
    const wanted = dialect.settle(tree, requestFor(dialect.name));
    if (wanted.length === 0) continue;
    const obstacle = await obstacleTo(() => writeForeign(files, wanted));
    if (obstacle === undefined) settled.paths.push(...wanted.map(({ path }) => path));
    else
      settled.remarks.push(`The files of ${dialect.name} still show an ended session. ${obstacle}`);
  }
  return settled;
}

/** What the session writes next has times of its journal, and no time of a file may go back. */
const beginningOf = ({ end, resumedAt, startedAt }: SessionState): string =>
  end?.at ?? resumedAt ?? startedAt;

const resumptionOf = ({ session, tasks }: SessionState) => ({
  resumed: session.session_id,
  passed: new Set(tasks.flatMap(({ task, state }) => (state === "passed" ? [task.id] : []))),
});

async function obstacleTo(write: () => ReturnType<typeof writeForeign>) {
  try {
    const result = await write();
    return result.kind === "held" ? `Another program holds ${result.lock}.` : undefined;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return error.message;
  }
}
