import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** One line of the process table. `startTime` is in clock ticks since the machine started (proc(5)). */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTime: number;
  readonly state: string;
  readonly threads: number;
  /** Pages of memory that are present. */
  readonly pages: number;
}

/** The visible processes with wanted ids, without ended ones. Empty without /proc. */
export const readProcesses = (isWanted: (pid: number) => boolean = () => true): ProcessEntry[] =>
  readNames("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && isWanted(pid))
    .map(readProcess)
    .filter((entry) => entry !== undefined && !isEnded(entry)) as ProcessEntry[];

export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** The name in parentheses may hold anything, so fields are counted from the last `)`. Pure. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent, group] = fields.map(Number);
  const startTime = Number(fields[18]);
  if (parent === undefined || group === undefined || Number.isNaN(startTime)) return undefined;
  const [threads = 1, pages = 0] = [fields[16], fields[20]].map(Number);
  return { pid: Number.parseInt(stat, 10), parent, group, startTime, state, threads, pages };
}

/** Start time of a process, which distinguishes it from a later one with the same id; undefined where unknown. */
export const readStartTime = (pid: number): number | undefined => readProcess(pid)?.startTime;

/** Whether exactly this process still runs; judged by its id alone where start times are unknown. */
export function isRunning(process: { pid: number; startTime: number | undefined }): boolean {
  const entry = readProcess(process.pid);
  if (entry === undefined || process.startTime === undefined) return canSignal(process.pid);
  return !isEnded(entry) && entry.startTime === process.startTime;
}

/** Whether a process was started with this variable, or is a fork of one that was. */
export const hasVariable = (pid: number, assignment: string): boolean =>
  readText(`/proc/${pid}/environ`)?.split("\0").includes(assignment) ?? false;

/** A variable's value in the environment a process was started with. */
export function readVariable(pid: number, name: string): string | undefined {
  const assignments = readText(`/proc/${pid}/environ`)?.split("\0");
  return assignments?.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Whether this process may signal a process, or a group when negative. */
export const canSignal = (target: number): boolean => sendSignal(target, 0);

/** Signals a process, or a group when negative; false if it does not exist. */
export function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/**
 * Zombies (Z) and dead processes (X) have ended and wait to be collected. The state is the main thread's: while another
 * thread of a killed program is still on its way out, its files and ports stay open. Pure.
 */
export const isEnded = ({ state, threads }: ProcessEntry): boolean =>
  (state === "Z" || state === "X") && threads <= 1;

// Processes end at any moment, and those of other users are closed: neither is an error.

/** The names in a folder of `/proc`; empty when it is gone or inaccessible. */
export const readNames = (folder: string): string[] => orUndefined(() => readdirSync(folder)) ?? [];

/** Undefined when it is gone or inaccessible. UTF-8 is fastest, and only ASCII is compared. */
export const readText = (path: string): string | undefined =>
  orUndefined(() => readFileSync(path, "utf8"));

/** The target of a link; undefined when it is gone or inaccessible. */
export const readLink = (path: string): string | undefined => orUndefined(() => readlinkSync(path));

function orUndefined<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The number of processes and threads started since boot (proc(5)); undefined where unknown. */
export const countStarted = (): number | undefined =>
  readNumber("/proc/stat", /^processes (\d+)$/m);

/**
 * The lowest id that a process younger than `pid` can have, so that a search need not read every process. `before` is
 * `countStarted()` from a time before `pid` was started.
 */
export function lowestYounger({
  pid,
  before,
}: {
  pid: number;
  before: number | undefined;
}): number {
  const now = countStarted();
  const maxId = readNumber("/proc/sys/kernel/pid_max", /(\d+)/);
  if (before === undefined || now === undefined || maxId === undefined) return 0;
  return firstYounger(pid, { started: now - before, maxId });
}

/** Ids are assigned in order; if they may have wrapped around since, a younger process can have any id. Pure. */
export const firstYounger = (
  pid: number,
  { started, maxId }: { started: number; maxId: number },
): number => (pid + started < maxId ? pid : 0);

function readNumber(path: string, pattern: RegExp): number | undefined {
  try {
    const [, digits] = pattern.exec(readFileSync(path, "utf8")) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
