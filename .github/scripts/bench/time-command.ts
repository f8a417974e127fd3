import { execFileSync } from "node:child_process";
import { median } from "./median.ts";

export type TimedCommand = {
  file: string;
  args: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
};

/** Median milliseconds of a command from start to end, after one run that warms the caches. */
export function timeCommand(command: TimedCommand, times: number): number {
  const [ms = Number.NaN] = timeInTurns([command], times);
  return ms;
}

/** The same for several commands, in turns, so that a busy moment of the machine meets all of them. */
export function timeInTurns(commands: readonly TimedCommand[], times: number): number[] {
  for (const command of commands) timeOnce(command);
  const rounds = Array.from({ length: times }, () => commands.map(timeOnce));
  return commands.map((_, index) => median(rounds.map((round) => round[index] ?? Number.NaN)));
}

function timeOnce({ file, args, ...options }: TimedCommand): number {
  const startedAt = performance.now();
  execFileSync(file, args, { ...options, stdio: "ignore" });
  return performance.now() - startedAt;
}
