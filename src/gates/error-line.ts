import { stableMessage } from "./stable-text.ts";

/** For output of unknown form: the line without parts that change from run to run; undefined when it names no failure. */
export function errorLine(line: string): string | undefined {
  const isError = errorWords.test(line) && !runnerLine.test(line) && saysSomething(line);
  return isError ? stableMessage(line) : undefined;
}

const errorWords =
  /error|fail|fatal|panic|exception|assert|cannot|could not|not found|undefined|denied|refused|missing|invalid|unexpected|segmentation/i;

/** Lines that package managers and build tools print for any failure. */
const runnerLine =
  /^\s*(?:npm (?:err!|error|warn)|(?:pnpm|yarn|bun|just|nx|turbo|make(?:\[\d+\])?)\b|error:? (?:command|script|recipe)\b|\W*elifecycle)/i;

/** Excludes lines that only say that something failed, or how often: they would make all failures equal. */
function saysSomething(line: string): boolean {
  const words = line.toLowerCase().match(/[a-z_]{2,}/g) ?? [];
  return words.some((word) => !emptyWords.has(word));
}

const emptyWords = new Set(
  `above all and are assertion assertions been build check checks code command could did done errors error exit
  exited exiting failed failing fail fails failure failures fatal files file for found has have in is job lint ms
  no not of on or out passed pending problem problems process ran run sec see seconds skipped some status step
  suite suites summary task tasks test tests than the there time to todo total warning warnings was were with`.split(
    /\s+/,
  ),
);
