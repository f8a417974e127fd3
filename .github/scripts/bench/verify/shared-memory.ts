import { clock } from "../../../../src/platform/clock.ts";

import { readProcesses, readText } from "../../../../src/platform/process/process-table.ts";

const samples = 10;

/**
 * Of the descendants that were not there before. The least of some moments: processes of pages that were closed may still be
 * ending.
 */
export async function settledMemory(before: ReadonlySet<number>): Promise<number> {
  const seen: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    seen.push(readSharedMemory(before));
    await clock.sleep(500);
  }
  return Math.min(...seen);
}

/** The processes that this one has started, and those that they have. */
export function readDescendants(): Set<number> {
  const entries = readProcesses();
  const members = new Set([process.pid]);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of entries) if (members.has(parent)) members.add(pid);
  }
  members.delete(process.pid);
  return members;
}

/** Proportional set sizes in MB (proc(5), smaps_rollup). */
function readSharedMemory(before: ReadonlySet<number>): number {
  const fresh = [...readDescendants()].filter((pid) => !before.has(pid));
  const kilobytes = fresh.map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? "")?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}
