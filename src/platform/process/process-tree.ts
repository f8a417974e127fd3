import { clock } from "../clock.ts";
import {
  canSignal,
  hasVariable,
  lowestYounger,
  type ProcessEntry,
  readProcesses,
  sendSignal,
} from "./process-table.ts";

/** A supervised child that leads its own group. Its descendants carry `mark`, a variable of its environment. */
export interface TreeRoot {
  readonly pid: number;
  /** Undefined without /proc: then only the group can be signalled. */
  readonly startTime: number | undefined;
  readonly mark: string;
  /** `countStarted()` before it was started; where it is unknown, every process is checked. */
  readonly before?: number | undefined;
}

/**
 * Start times of the members seen so far, by id. An ending process loses its environment, and with it its mark, before it
 * closes its ports; a known one stays a member until it is gone.
 */
export type KnownMembers = Map<number, number>;

/**
 * Ends what remains of a tree: SIGTERM, up to `graceMs` to comply, then SIGKILL until a search finds no member.
 * Also reaches descendants that left the group (setsid, double fork) and stopped ones (F26); only one that has
 * lost both its parent and its environment stays hidden, which only the sandbox prevents. Returns the number of
 * descendants, without the root, that were still alive.
 */
export async function endTree(
  root: TreeRoot,
  graceMs: number,
  known: KnownMembers = new Map(),
): Promise<number> {
  const seen = new Set<number>();
  const look = () => {
    const members = findMembers(root, known);
    for (const pid of members) seen.add(pid);
    return members;
  };
  const term = { signals: ["SIGTERM", "SIGCONT"], withinMs: graceMs } as const;
  // A process in an uninterruptible call dies when the call returns; that may take forever.
  const kill = { signals: ["SIGKILL"], withinMs: 1000 } as const;
  if (!(await signalUntilGone(look, term))) await signalUntilGone(look, kill);
  seen.delete(root.pid);
  return seen.size;
}

/** SIGCONT lets a stopped process comply. */
type Attempt = { signals: readonly ("SIGTERM" | "SIGCONT" | "SIGKILL")[]; withinMs: number };

/** Signals each member once, and searches again, because members may fork. Answers whether none is left. */
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

/** Ids of the living members of the tree; empty without /proc. */
export const treeMembers = (root: TreeRoot, known: KnownMembers): number[] =>
  findMembers(root, known).filter((pid) => pid > 0);

/** Signal targets for the living members of the tree; without /proc the whole group is one target. */
function findMembers(root: TreeRoot, known: KnownMembers): number[] {
  const { pid, startTime, before } = root;
  if (startTime === undefined) return canSignal(-pid) ? [-pid] : [];
  const lowest = lowestYounger({ pid, before });
  const entries = readProcesses((each) => each >= lowest);
  const members = selectTree(entries, {
    rootPid: pid,
    startTime,
    isMarked: (entry) =>
      known.get(entry.pid) === entry.startTime || hasVariable(entry.pid, root.mark),
  });
  for (const entry of entries) {
    if (members.includes(entry.pid)) known.set(entry.pid, entry.startTime);
  }
  return members;
}

/** The root, its group, marked processes and all their descendants; older processes cannot be members. Pure. */
export function selectTree(
  entries: readonly ProcessEntry[],
  root: { rootPid: number; startTime: number; isMarked: (entry: ProcessEntry) => boolean },
): number[] {
  const younger = entries.filter((entry) => entry.startTime >= root.startTime);
  const isMember = (entry: ProcessEntry) =>
    entry.pid === root.rootPid || entry.group === root.rootPid || root.isMarked(entry);
  const members = new Set(younger.filter(isMember).map(({ pid }) => pid));
  for (let size = -1; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of younger) if (members.has(parent)) members.add(pid);
  }
  return [...members];
}
