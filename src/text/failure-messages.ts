import { plainLine } from "./plain-text.ts";

const maxLines = 40;

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
  return lines.slice(0, maxLines).join("\n");
}

const saysWhy =
  /^E\s|^\s*[+-]\s|^exit|ended|\b(?:\w*Error|\w*Exception|panic|expected|actual|received|got|want|cannot|missing|undefined|undeclared|not found|no such)\b| [!=]==? /i;

/** Code frames, stack frames, and calls of assertions. */
const isSource =
  /^\s*(?:>|\d+\s*[|│]|[|│]|at\s|❯)|\b(?:assert|expect|should)\w*\s*[.(]|\b(?:import|require|const|let|var|def|func)\b.*[=({:]|\(file:|^\s*(?:code|operator|failureType|location|name):/;
