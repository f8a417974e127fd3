import { type Problem, RalphError, renderProblem, type StopReason } from "../error.ts";
import { type Finding, renderPath } from "../model/finding.ts";
import type { Locate } from "./parsed-text.ts";

/** More than anybody fixes in one go; a wrecked file has thousands. */
const maxShown = 50;

/** Which file was refused, how the session ends for it, and what the user does next. */
export type Refusal = { reason: StopReason; file: string; remedy: string };

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
  return [...problems.slice(0, maxShown), ...remainder(problems.length, file)];
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
      message: `${renderPath(path)} ${message}`,
    }))
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
  return [...placed, ...remainder(findings.length, file)];
}

function remainder(count: number, file: string): Problem[] {
  return count > maxShown ? [{ file, message: `and ${count - maxShown} more` }] : [];
}
