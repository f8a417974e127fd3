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
  const shown = problems
    .slice(0, maxShown)
    .map((problem) => ({ ...problem, message: makeVisible(problem.message) }));
  return [...shown, ...remainder(problems.length, file)];
}

/** Findings with their places, in the order of the file; no more than `limitProblems` lets through. */
export function placeFindings(
  findings: readonly Finding[],
  { file, locate }: { file: string; locate: Locate },
): Problem[] {
  const placed = findings
    .slice(0, maxShown)
    .map(({ path, message }) => ({
      file,
      ...locate(path),
      message: makeVisible(`${renderPath(path)} ${message}`),
    }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
  return [...placed, ...remainder(findings.length, file)];
}

function remainder(count: number, file: string): Problem[] {
  return count > maxShown ? [{ file, message: `and ${count - maxShown} more` }] : [];
}
