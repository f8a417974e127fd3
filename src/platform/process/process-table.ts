import { readdirSync, readFileSync } from "node:fs";

/** One line of the process table. `startTime` is in clock ticks since the machine started (proc(5)). */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly startTime: number;
  readonly state: string;
}

/** All processes we may see from an id on, without those that have already ended. Empty where there is no /proc. */
export function readProcesses(lowest = 0): ProcessEntry[] {
  return readNames("/proc")
    .map(Number)
    .filter((pid) => pid >= lowest)
    .map(readProcess)
    .filter((entry) => entry !== undefined && !isEnded(entry)) as ProcessEntry[];
}

export function readProcess(pid: number): ProcessEntry | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

/** Pure. The name in parentheses may hold anything, so fields are counted from its last `)`. */
export function parseStat(stat: string): ProcessEntry | undefined {
  const [state = "", ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent, group] = fields.map(Number);
  const startTime = Number(fields[18]);
  if (parent === undefined || group === undefined || Number.isNaN(startTime)) return undefined;
  return { pid: Number.parseInt(stat, 10), parent, group, startTime, state };
}

/** Start time of a process, which tells it from a later one with the same id; undefined where unknown. */
export function readStartTime(pid: number): number | undefined {
  return readProcess(pid)?.startTime;
}

/** Whether exactly this process still runs; by its id alone where start times are unknown. */
export function isRunning(process: { pid: number; startTime: number | undefined }): boolean {
  const entry = readProcess(process.pid);
  if (entry === undefined || process.startTime === undefined) return canSignal(process.pid);
  return !isEnded(entry) && entry.startTime === process.startTime;
}

/** Whether a process was started with this variable, or is a fork of one that was. */
export function hasVariable(pid: number, assignment: string): boolean {
  return readText(`/proc/${pid}/environ`)?.split("\0").includes(assignment) ?? false;
}

/** Its value in the environment a process was started with. */
export function readVariable(pid: number, name: string): string | undefined {
  const assignments = readText(`/proc/${pid}/environ`)?.split("\0");
  return assignments?.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** Whether a process, or a group when negative, takes signals from us. */
export function canSignal(target: number): boolean {
  return sendSignal(target, 0);
}

/** Sends to a process, or to a group when negative; false when there is none. */
export function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/** Zombies (Z) and dead ones (X) only wait to be collected. */
function isEnded({ state }: ProcessEntry): boolean {
  return state === "Z" || state === "X";
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Processes come and go while we look, and others' are closed to us: both are "nothing". As UTF-8, which Node
 * reads in one step: a look reads hundreds of these, and what is compared is ASCII.
 */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
