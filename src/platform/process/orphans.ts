import { randomUUID } from "node:crypto";
import {
  isRunning,
  type ProcessEntry,
  readLink,
  readProcesses,
  readStartTime,
  readVariable,
} from "./process-table.ts";
import { endTree } from "./process-tree.ts";

const name = "RALPH_CALL";
const pattern = /^(\d+)-(\d+)-/;
const graceMs = 500;

/** The mark of one supervised call, `NAME=value`: the calling process and an unguessable part. */
export const createMark = (): string =>
  `${name}=${process.pid}-${readStartTime(process.pid) ?? 0}-${randomUUID()}`;

/**
 * Ends programs that calls of killed processes left running: those whose mark names a dead process (F26), and that work
 * below one of the folders or in one that was removed since, whose project has no next start. Without a sandbox they
 * outlive it. Answers the number of calls; always 0 without /proc.
 */
export async function endOrphans(folders: readonly string[]): Promise<number> {
  const roots = new Map<string, ProcessEntry>();
  for (const entry of readProcesses((pid) => isLeftIn(folders, pid))) {
    const value = readVariable(entry.pid, name);
    const known = value === undefined ? undefined : roots.get(value);
    const isOldest = entry.startTime < (known?.startTime ?? Number.POSITIVE_INFINITY);
    if (value !== undefined && isOldest && isOrphaned(value)) roots.set(value, entry);
  }
  await Promise.all(
    [...roots].map(([value, { pid, startTime }]) =>
      endTree({ pid, startTime, mark: `${name}=${value}` }, graceMs),
    ),
  );
  return roots.size;
}

/** Programs of another container are left alone: the numbers in their marks mean other processes here. */
function isLeftIn(folders: readonly string[], pid: number): boolean {
  const place = readLink(`/proc/${pid}/cwd`) ?? "";
  const isBelow = folders.some((folder) => `${place}/`.startsWith(`${folder}/`));
  return isBelow || (place.endsWith(removed) && isInOwnNamespace(pid));
}

/** What Linux appends to the name of a folder that is gone. */
const removed = " (deleted)";

const isInOwnNamespace = (pid: number) =>
  readLink(`/proc/${pid}/ns/pid`) === readLink("/proc/self/ns/pid");

/** Excludes this process's own mark: inside another session's agent, ralph is part of that call. */
function isOrphaned(value: string): boolean {
  const [, pid, startTime] = pattern.exec(value) ?? [];
  if (pid === undefined || value === process.env[name]) return false;
  return !isRunning({ pid: Number(pid), startTime: Number(startTime) || undefined });
}
