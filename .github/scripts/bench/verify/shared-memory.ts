import { clock } from "../../../../src/platform/clock.ts";

import { readProcesses, readText } from "../../../../src/platform/process/process-table.ts";

const samples = 10;

/** The least of some moments: processes of pages that were closed may still be ending. */
export async function settledMemory(root: number): Promise<number> {
  const seen: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    seen.push(readSharedMemory(root));
    await clock.sleep(500);
  }
  return Math.min(...seen);
}

/** Proportional set size of all descendants in MB (proc(5), smaps_rollup). */
function readSharedMemory(root: number): number {
  const entries = readProcesses();
  const members = new Set([root]);
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const { pid, parent } of entries) if (members.has(parent)) members.add(pid);
  }
  members.delete(root);
  const kilobytes = [...members].map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? "")?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}
