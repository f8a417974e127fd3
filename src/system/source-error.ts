import { type Problem, RalphError, renderProblem, type StopReason } from "../error.ts";
import { type Finding, renderPath } from "../model/finding.ts";
import type { Locate } from "./parsed-text.ts";

/** More than anybody fixes in one go; a wrecked file has thousands. */
const maxShown = 50;

/** Which file was refused, how the session ends for it, and what the user does next. */
export type Refusal = { reason: StopReason; file: string; remedy: string };

/** What would steer a terminal, hide, or look like another line: written as in a string of JavaScript. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]/gu;

/** A message that may quote the file it is about. */
function makeVisible(message: string): string {
  return message.replace(unseen, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}

/** One error that lists every problem with its place. */
export function sourceError(problems: readonly Problem[], refusal: Refusal): RalphError {
  return new RalphError(refusal.reason, {
    message: `${refusal.file} cannot be used:\n${problems.map(renderProblem).join("\n")}`,
    remedy: refusal.remedy,
    problems,
  });
}

/** The first 50 problems, and the number of the others as one more. */
export function limitProblems(problems: readonly Problem[], file: string): Problem[] {
  return limit(problems, { file, count: problems.length });
}

/**
 * Findings with their places, in the order of the file; no more than `limitProblems` lets through. `found` is what
 * the parser has said about the same file.
 */
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

function limit(
  problems: readonly Problem[],
  { file, count }: { file: string; count: number },
): Problem[] {
  const shown = problems
    .slice(0, maxShown)
    .map((problem) => ({ ...problem, message: makeVisible(problem.message) }));
  if (count <= maxShown) return shown;
  return [...shown, { file, message: `and ${count - maxShown} more` }];
}
