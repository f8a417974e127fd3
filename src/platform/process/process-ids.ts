import { readFileSync } from "node:fs";

/** The number of processes and threads started since boot (proc(5)); undefined where unknown. */
export function countStarted(): number | undefined {
  return readNumber("/proc/stat", /^processes (\d+)$/m);
}

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
export function firstYounger(
  pid: number,
  { started, maxId }: { started: number; maxId: number },
): number {
  return pid + started < maxId ? pid : 0;
}

function readNumber(path: string, pattern: RegExp): number | undefined {
  try {
    const [, digits] = pattern.exec(readFileSync(path, "utf8")) ?? [];
    return digits === undefined ? undefined : Number(digits);
  } catch {
    return undefined;
  }
}
