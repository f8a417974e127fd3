import type { CallLimits } from "../../platform/system.ts";
import type { ProcessLimits } from "../../sandbox/process-limits.ts";
import type { Config } from "../../schema/config/config.ts";

const mebibyte = 1024 ** 2;

/** The limits of all processes of one call together, in the work tree it may write. Pure. */
export function callLimits({ sandbox }: Pick<Config, "sandbox">, folder: string): CallLimits {
  const { processes, memory_mb, disk_mb } = sandbox.limits;
  return {
    processes,
    ...(memory_mb !== null && { memoryBytes: memory_mb * mebibyte }),
    disk: { folder, bytes: disk_mb * mebibyte },
  };
}

/** The kernel's limits of each process in the sandbox. Pure. */
export function processLimits({ sandbox }: Pick<Config, "sandbox">): ProcessLimits {
  const { processes, open_files, disk_mb } = sandbox.limits;
  return { processes, openFiles: open_files, fileBytes: disk_mb * mebibyte };
}
