import { failureIn, type LinesBefore, type ParsedFailure } from "./failure-forms.ts";
import { readableLines } from "./readable-lines.ts";
import { stableMessage } from "./stable-text.ts";

/** Beyond this the list would be cut, and a new failure could hide in the cut part. */
const maxFailures = 200;
/** A longer line is data, not a message; this also limits the work of every pattern. */
const maxLine = 400;
const maxText = 200;

/**
 * The failures in a gate's output: one text each, sorted and unique, without positions, durations and other details that
 * change by themselves. The same failure of two runs has the same text; one that occurs n times in a file has n texts,
 * so one more is new. Empty when the output names no failure.
 */
export function fingerprints(output: string): string[] {
  const lines = readableLines(output).filter((line) => line.length <= maxLine);
  const named = namedFailures(lines);
  const found = named.size > 0 ? named : errorLines(lines);
  const texts = [...found].flatMap(([text, places]) => numbered(text, places.size));
  return texts.length > maxFailures ? [] : texts.sort();
}

type Found = Map<string, Set<string>>;

function namedFailures(lines: readonly string[]): Found {
  const found: Found = new Map();
  let before: LinesBefore = { file: "", line: "" };
  for (const line of lines) {
    const failure = failureIn(line, before);
    if (failure) note(found, failure);
    before = { file: isFileName(line) ? line : before.file, line };
  }
  return found;
}

/** Only the number of equal lines distinguishes them. */
function errorLines(lines: readonly string[]): Found {
  const found: Found = new Map();
  for (const [index, line] of lines.entries()) {
    const text = errorLine(line);
    if (text !== undefined) note(found, { text, at: String(index) });
  }
  return found;
}

function note(found: Found, { text, at }: ParsedFailure): void {
  const key = text.slice(0, maxText).toWellFormed();
  const places = found.get(key) ?? new Set();
  found.set(key, places.add(at));
}

function numbered(text: string, count: number): string[] {
  return Array.from({ length: Math.min(count, maxFailures + 1) }, (_, index) =>
    index === 0 ? text : `${text} (${index + 1})`,
  );
}

const isFileName = (line: string) => /^[^\s:]+\.\w+$/.test(line);

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
