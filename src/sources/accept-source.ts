import { type Problem, RalphError, renderProblem, type StopReason, visible } from "../error.ts";
import type { Checked } from "../schema/base/check-shape.ts";
import { type Finding, renderPath } from "../schema/base/finding.ts";
import { shorten } from "../schema/tasks/foreign/words.ts";
import type { Locate, ParsedText } from "./parsed-text.ts";

/** Most problems that are listed; a broken file can have thousands. */
const maxShown = 50;

/** The refused file, the stop reason, and the remedy. */
export type Refusal = { reason: StopReason; file: string; remedy: string };

const maxLength = 1000;

/** An accepted file: its checked content, its text, and warnings. */
export type AcceptedSource<Data> = { data: Data; text: string; warnings: Problem[] };

/** Accepts a checked file, or throws one error that lists all problems with their places. */
export function acceptSource<Data>(
  parsed: ParsedText,
  { check, refusal }: { check: (value: unknown) => Checked<Data>; refusal: Refusal },
): AcceptedSource<Data> {
  const { file } = refusal;
  const found = parsed.kind === "refused" ? parsed.problems : [];
  const readable = parsed.kind === "refused" ? parsed.readable : parsed;
  if (!readable) throw sourceError(limitProblems(found, file), refusal);
  const { value, locate } = readable;
  const { data, findings } = check(value);
  const { error: errors = [], warning = [] } = Object.groupBy(findings, ({ severity }) => severity);
  const warnings = placeFindings(warning, { file, locate });
  if (parsed.kind === "parsed" && data !== undefined) return { data, text: parsed.text, warnings };
  const problems = placeFindings(errors, { file, locate, found });
  const marked = warnings.map((each) => ({ ...each, message: `warning: ${each.message}` }));
  throw sourceError([...problems, ...marked], refusal);
}

/** One error that lists every problem with its place. */
export function sourceError(problems: readonly Problem[], refusal: Refusal): RalphError {
  return new RalphError(refusal.reason, {
    message: `${refusal.file} cannot be used:\n${problems.map(renderProblem).join("\n")}`,
    remedy: refusal.remedy,
    problems,
  });
}

/** The first 50 problems, and one more that counts the others. */
export function limitProblems(problems: readonly Problem[], file: string): Problem[] {
  return limit(problems, { file, count: problems.length });
}

/** Findings with their places, in the order of the file, limited; `found`: the parser's problems with the same file. */
export function placeFindings(
  findings: readonly Finding[],
  { file, locate, found = [] }: { file: string; locate: Locate; found?: readonly Problem[] },
): Problem[] {
  const placed = findings.slice(0, maxShown).map(({ path, message }) => ({
    file,
    ...locate(path),
    message: `${renderPath(path)} ${message}`,
  }));
  const inOrder = [...found, ...placed].toSorted(
    (a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0),
  );
  return limit(inOrder, { file, count: found.length + findings.length });
}

function limit(problems: readonly Problem[], { file, count }: { file: string; count: number }) {
  const shown = problems
    .slice(0, maxShown)
    .map((problem) => ({ ...problem, message: visible(shorten(problem.message, maxLength)) }));
  if (count <= maxShown) return shown;
  return [...shown, { file, message: `and ${count - maxShown} more` }];
}
