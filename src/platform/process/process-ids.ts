import { readFileSync } from "node:fs";

/** How many processes and threads the machine has started since it is up (proc(5)); undefined where unknown. */
export function countStarted(): number | undefined {
  return readNumber("/proc/stat", /^processes (\d+)$/m);
}

/**
 * The lowest id that a process younger than `pid` can have, so that a look at a whole machine need not read
 * everybody. `before` is `countStarted()` at a time before `pid` was started.
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

/** Pure. Ids are given out in turn; when they may have begun anew since, a younger process can have any id. */
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
