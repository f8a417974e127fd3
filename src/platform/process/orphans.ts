import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import {
  isRunning,
  type ProcessEntry,
  readProcesses,
  readStartTime,
  readVariable,
} from "./process-table.ts";
import { endTree } from "./process-tree.ts";

const name = "RALPH_CALL";
const pattern = /^(\d+)-(\d+)-/;
const graceMs = 500;

/** The mark of one supervised call, `NAME=value`: the calling process and an unguessable part. */
export function createMark(): string {
  return `${name}=${process.pid}-${readStartTime(process.pid) ?? 0}-${randomUUID()}`;
}

/**
 * Ends programs that calls of killed processes left running in a folder: those whose mark names a dead process (F26).
 * Without a sandbox they outlive it. Answers the number of calls; always 0 without /proc.
 */
export const endOrphans = (folder: string): Promise<number> =>
  endMarked((place) => `${place}/`.startsWith(`${folder}/`));

/**
 * The same for folders that were removed since: their project has no next start. Programs of another container are left
 * alone: the numbers in their marks mean other processes here.
 */
export const endHomeless = (): Promise<number> =>
  endMarked((place, pid) => place.endsWith(removed) && isInOwnNamespace(pid));

/** What Linux appends to the name of a folder that is gone. */
const removed = " (deleted)";

async function endMarked(isWanted: (place: string, pid: number) => boolean): Promise<number> {
  const roots = new Map<string, ProcessEntry>();
  const found = readProcesses().filter(({ pid }) => isWanted(placeOf(pid), pid));
  for (const entry of found) {
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

/** Excludes this process's own mark: inside another session's agent, ralph is part of that call. */
function isOrphaned(value: string): boolean {
  const [, pid, startTime] = pattern.exec(value) ?? [];
  if (pid === undefined || value === process.env[name]) return false;
  return !isRunning({ pid: Number(pid), startTime: Number(startTime) || undefined });
}

/** The folder it works in; empty when it has ended in the meantime, or belongs to another user. */
const placeOf = (pid: number) => readLink(`/proc/${pid}/cwd`);

const isInOwnNamespace = (pid: number) =>
  readLink(`/proc/${pid}/ns/pid`) === readLink("/proc/self/ns/pid");

function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
