import { roleTeller } from "./file-roles.ts";
import { pathsInCommand } from "./flagged-changes.ts";
import { pathMatcher } from "./path-pattern.ts";

export interface GateFilesRules {
  testPaths: readonly string[];
  /** `proof.may_change`. */
  mayChange: readonly string[];
  /** The files of the repository. */
  paths: readonly string[];
}

/**
 * Files of the product that a gate's command names. They count as scripts of the gate, so a task's work is judged with
 * them as they were, and honest work on them is refused (design 4b). Only names decide.
 */
export function productIn(
  command: string,
  { testPaths, mayChange, paths }: GateFilesRules,
): string[] {
  const there = new Set(paths);
  const roleOf = roleTeller({ testPaths, gateCommands: [] });
  const isFree = pathMatcher(mayChange);
  const named = pathsInCommand(command).filter((path) => there.has(path) || isSource.test(path));
  return [...new Set(named)].filter(
    (path) => roleOf(path) === "product" && !isScript(path) && !isFree(path),
  );
}

/** The consequence and the remedies, for people. */
export const describeProductIn = (paths: readonly string[]): string =>
  `names ${paths.join(", ")}, which counts as a script of the gate: the work of a task that changes it is judged with the file as it was, and refused. Call it from a test or a script instead, or list it in proof.may_change`;

/** A file that a task may add. */
const isSource =
  /^(?!node_modules\/|vendor\/|\.)[\w.-]+\/[\w./-]+\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs|c|cc|cpp|swift)$/;

/** Shell scripts, and folders in which projects keep the scripts of their gates. */
const isScript = (path: string) =>
  /\.(?:sh|bash|bat|cmd|ps1)$|(?:^|\/)(?:scripts?|tools?|ci|\.ci|hack|bin|dev|util)\//i.test(path);
