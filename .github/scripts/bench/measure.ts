import { execFileSync } from "node:child_process";

/** The middle value: one slow moment of a busy machine does not move it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = sorted.slice(
    Math.ceil(middle) - 1,
    Math.floor(middle) + 1,
  );
  return (low + high) / 2;
}

/** The value that 99 of 100 values do not exceed. */
export const p99 = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

type TimedCommand = {
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
