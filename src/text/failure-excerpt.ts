import { plainLine, plainText } from "./plain-text.ts";

const maxLines = 12;
const linesEach = 4;

/**
 * The lines of a failed command's output that a person should see first: those of the named failures, each with what
 * follows it, else the end. `fingerprints` have the form `tool: name`, as a gate's result holds them.
 */
export function failureExcerpt(output: string, fingerprints: readonly string[] = []): string[] {
  const lines = plainText(output)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const named = linesOfFailures(lines, fingerprints.map(nameIn));
  const shown = named.length > 0 ? named : lines.slice(-maxLines);
  return shown.slice(0, maxLines).map((line) => indentOf(line) + plainLine(line, 160));
}

const indentOf = (line: string) => /^ {0,8}/.exec(line)?.[0] ?? "";

/** Normalised parts of a name, such as `<duration>`, are not in the output. */
const nameIn = (fingerprint: string) =>
  (fingerprint.replace(/^\S*: /, "").split("<")[0] ?? "").trim();

function linesOfFailures(lines: readonly string[], names: readonly string[]): string[] {
  const starts = names.flatMap((name) => {
    const at = name.length < 3 ? -1 : lines.findIndex((line) => line.includes(name));
    return at === -1 ? [] : [at];
  });
  const inOrder = [...new Set(starts)].sort((a, b) => a - b);
  return inOrder.flatMap((at, index) =>
    lines.slice(at, Math.min(at + linesEach, inOrder[index + 1] ?? Number.POSITIVE_INFINITY)),
  );
}

/** The first line of a longer message; the one after it as well, where the first only announces it. */
export function headline(message: string): string {
  const [first = "", second = ""] = plainText(message).trim().split("\n");
  return first.endsWith(":") ? `${first} ${second.trim()}` : first;
}

const maxMessages = 40;

/**
 * The reasons in a failed command's output, without the source of any test: names of failures and their messages,
 * each on a line. For an implementation that may not read the tests.
 */
export function failureMessages(detail: string, names: readonly string[] = []): string {
  const said = detail
    .split("\n")
    .filter((line) => saysWhy.test(line) && !isSource.test(line))
    .map((line) => plainLine(line));
  const lines = [...new Set([...names.map((name) => plainLine(name)), ...said])];
  return lines.slice(0, maxMessages).join("\n");
}

const saysWhy =
  /^E\s|^\s*[+-]\s|^exit|ended|\b(?:\w*Error|\w*Exception|panic|expected|actual|received|got|want|cannot|missing|undefined|undeclared|not found|no such)\b| [!=]==? /i;

/** Code frames, stack frames, and calls of assertions. */
const isSource =
  /^\s*(?:>|\d+\s*[|│]|[|│]|at\s|❯)|\b(?:assert|expect|should)\w*\s*[.(]|\b(?:import|require|const|let|var|def|func)\b.*[=({:]|\(file:|^\s*(?:code|operator|failureType|location|name):/;
