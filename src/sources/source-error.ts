import { type Problem, RalphError, renderProblem, type StopReason, visible } from "../error.ts";
import { type Finding, renderPath } from "../schema/base/finding.ts";
import { shorten } from "../schema/tasks/foreign/words.ts";
import type { Locate } from "./parsed-text.ts";

/** Most problems that are listed; a broken file can have thousands. */
const maxShown = 50;

/** The refused file, the stop reason, and the remedy. */
export type Refusal = { reason: StopReason; file: string; remedy: string };

/** Longest message, which may quote the file. */
const maxLength = 1000;

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

/**
 * Findings with their places, in the order of the file, limited by `limitProblems`. `found`: the parser's problems with
 * the same file.
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
    .map((problem) => ({ ...problem, message: visible(shorten(problem.message, maxLength)) }));
  if (count <= maxShown) return shown;
  return [...shown, { file, message: `and ${count - maxShown} more` }];
}
