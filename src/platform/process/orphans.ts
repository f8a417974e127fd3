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
export async function endOrphans(folder: string): Promise<number> {
  const roots = new Map<string, ProcessEntry>();
  for (const entry of readProcesses().filter(({ pid }) => worksIn(folder, pid))) {
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

function worksIn(folder: string, pid: number): boolean {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${folder}/`);
  } catch {
    // It has ended in the meantime, or belongs to another user.
    return false;
  }
}
