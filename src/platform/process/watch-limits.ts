import { statfsSync } from "node:fs";
import type { CallLimits } from "../system.ts";
import { lowestYounger, readProcesses } from "./process-table.ts";
import { selectTree, type TreeRoot } from "./process-tree.ts";

/** Free space below which no program may go on: ralph needs some to keep its journal. */
const reservedBytes = 256 * 1024 * 1024;

const periodMs = 500;

/** Reports the first limit that the program's processes together, or the disk, exceed; looks twice a second. */
export function watchLimits(
  root: TreeRoot,
  limits: CallLimits,
  onExceeded: (message: string) => void,
): Disposable {
  const freeBefore = readFree(limits.disk.folder);
  const timer = setInterval(() => {
    const usage = readUsage(root);
    const free = readFree(limits.disk.folder);
    const message = exceededLimit({ ...usage, free, freeBefore }, limits);
    if (message) onExceeded(message);
  }, periodMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

type Usage = { processes: number; memoryBytes: number; free: number; freeBefore: number };

/** The first limit that is exceeded, as the end of a sentence about the program. Pure. */
export function exceededLimit(usage: Usage, limits: CallLimits): string | undefined {
  const { processes, memoryBytes = Number.POSITIVE_INFINITY, disk } = limits;
  if (usage.processes > processes) return `started more than ${processes} processes and threads`;
  if (usage.memoryBytes > memoryBytes)
    return `used more than ${inMebibytes(memoryBytes)} of memory`;
  if (usage.freeBefore - usage.free > disk.bytes)
    return `filled the disk by more than ${inMebibytes(disk.bytes)}`;
  const isFull = usage.free < reservedBytes && usage.freeBefore >= reservedBytes;
  return isFull ? `left less than ${inMebibytes(reservedBytes)} free on the disk` : undefined;
}

const inMebibytes = (bytes: number) => `${Math.round(bytes / 1024 ** 2)} MiB`;

/** In the sandbox all processes descend from the root; outside, those that left their parent are not counted. */
function readUsage({ pid, startTime, before }: TreeRoot): Pick<Usage, "processes" | "memoryBytes"> {
  if (startTime === undefined) return { processes: 0, memoryBytes: 0 };
  const lowest = lowestYounger({ pid, before });
  const entries = readProcesses((each) => each >= lowest);
  const members = new Set(selectTree(entries, { rootPid: pid, startTime, isMarked: () => false }));
  const counted = entries.filter((entry) => members.has(entry.pid));
  return {
    processes: counted.reduce((sum, { threads }) => sum + threads, 0),
    memoryBytes: counted.reduce((sum, { pages }) => sum + pages, 0) * pageBytes,
  };
}

/** On every machine GitHub and laptops offer; where pages are larger, the limit is too high, never too low. */
const pageBytes = 4096;

/** Bytes; without an answer nothing is limited. */
function readFree(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
