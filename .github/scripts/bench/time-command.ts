import { execFileSync } from "node:child_process";
import { median } from "./median.ts";

export type TimedCommand = {
  file: string;
  args: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
};

/** Median milliseconds of a command from start to end, after one run that warms the caches. */
export function timeCommand({ file, args, ...options }: TimedCommand, times: number): number {
  const run = () => {
    const startedAt = performance.now();
    execFileSync(file, args, { ...options, stdio: "ignore" });
    return performance.now() - startedAt;
  };
  run();
  return median(Array.from({ length: times }, run));
}
