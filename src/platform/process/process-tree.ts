import { clock } from "../clock.ts";
import { lowestYounger } from "./process-ids.ts";
import type { ProcessEntry } from "./process-table.ts";
import { canSignal, hasVariable, readProcesses, sendSignal } from "./process-table.ts";

/** A supervised child that leads its own group. Its descendants carry `mark`, a variable of its environment. */
export interface TreeRoot {
  readonly pid: number;
  /** Undefined where there is no /proc: then only the group can be reached. */
  readonly startTime: number | undefined;
  readonly mark: string;
  /** `countStarted()` before it was started; where it is unknown, every process is looked at. */
  readonly before?: number | undefined;
}

/**
 * Ends all that is left of a tree: SIGTERM, up to `graceMs` to comply, then SIGKILL until a look finds nobody.
 * Also reaches descendants that left the group (setsid, double fork) and stopped ones (F26); only one that has
 * lost both its parent and its environment stays hidden, and that takes the sandbox. Returns how many
 * descendants, without the root, were still alive.
 */
export async function endTree(root: TreeRoot, graceMs: number): Promise<number> {
  const seen = new Set<number>();
  const look = () => {
    const members = findMembers(root);
    for (const pid of members) seen.add(pid);
    return members;
  };
  const term = { signals: ["SIGTERM", "SIGCONT"], withinMs: graceMs } as const;
  // A process in an uninterruptible call dies when the call returns; nobody can wait for that.
  const kill = { signals: ["SIGKILL"], withinMs: 1000 } as const;
  if (!(await signalUntilGone(look, term))) await signalUntilGone(look, kill);
  seen.delete(root.pid);
  return seen.size;
}

/** SIGCONT lets a stopped process comply. */
type Attempt = { signals: readonly ("SIGTERM" | "SIGCONT" | "SIGKILL")[]; withinMs: number };

/**
 * Each member is signalled once; the look is repeated, because one may fork between look and signal. Answers
 * whether the last look found nobody.
 */
async function signalUntilGone(look: () => number[], attempt: Attempt): Promise<boolean> {
  const deadline = clock.monotonic() + attempt.withinMs;
  const signalled = new Set<number>();
  for (let pauseMs = 5; clock.monotonic() < deadline; pauseMs = Math.min(2 * pauseMs, 80)) {
    const members = look();
    if (members.length === 0) return true;
    for (const pid of members.filter((member) => !signalled.has(member))) {
      signalled.add(pid);
      for (const signal of attempt.signals) sendSignal(pid, signal);
    }
    await clock.sleep(pauseMs);
  }
  return false;
}

/** Ids that take signals for the living members of the tree; the whole group as one where there is no /proc. */
function findMembers(root: TreeRoot): number[] {
  const { pid, startTime, before } = root;
  if (startTime === undefined) return canSignal(-pid) ? [-pid] : [];
  return selectTree(readProcesses(lowestYounger({ pid, before })), {
    rootPid: pid,
    startTime,
    isMarked: (member) => hasVariable(member, root.mark),
  });
}

/**
 * Pure. The root, its group, whoever carries the mark, and all their descendants. Nobody older than the
 * root can be one, so the costly look for the mark is spared for those.
 */
export function selectTree(
  entries: readonly ProcessEntry[],
  root: { rootPid: number; startTime: number; isMarked: (pid: number) => boolean },
): number[] {
  const younger = entries.filter((entry) => entry.startTime >= root.startTime);
  const isMember = ({ pid, group }: ProcessEntry) =>
    pid === root.rootPid || group === root.rootPid || root.isMarked(pid);
  const members = new Set(younger.filter(isMember).map(({ pid }) => pid));
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of younger) if (members.has(parent)) members.add(pid);
  }
  return [...members];
}
