import { type Problem, visible } from "../error.ts";
import type { ScanContext } from "./scan-context.ts";

export type CheckStatus = "pass" | "warning" | "error" | "skipped";

/** A fix for a problem: a program to install, or a command. */
export type Fix = { install: string } | { command: string };

/** The result of a check. The first line of `message` is the summary. */
export interface CheckResult {
  status: CheckStatus;
  message: string;
  remedy?: string;
  /** Path and version of the checked thing. */
  path?: string;
  version?: string;
  fixes?: readonly Fix[];
  /** The problems of `message`, for `--json`. */
  problems?: readonly Problem[];
}

/** A requirement of a check. When it is not met, one check reports why (`run-checks.ts`) and the others are skipped. */
export type Need = "state" | "git" | "config" | "repo" | "agents" | "sandbox";

/** A check of `ralph scan`, listed in `checks.ts`. It changes nothing; a RalphError means that it has failed. */
export interface Check {
  /** Its name in `--check` and `--json`. */
  name: string;
  needs: readonly Need[];
  /** Shown before a slow check starts. */
  notice?: string;
  /** Fixes for an error that it throws. */
  fixes?: readonly Fix[];
  run: (context: ScanContext) => Promise<CheckResult>;
}

type More = Omit<CheckResult, "status" | "message">;

const resultOf =
  (status: CheckStatus) =>
  (message: string, more: More = {}): CheckResult => ({ status, message, ...more });

export const pass = resultOf("pass");
export const warningResult = resultOf("warning");
export const failure = resultOf("error");
export const skipped = resultOf("skipped");

/** The worst of several statuses; `pass` without any. */
export const worstOf = (statuses: readonly CheckStatus[]): CheckStatus =>
  (["error", "warning"] as const).find((status) => statuses.includes(status)) ?? "pass";

/** Combines several results: the worst status, all messages, and each remedy once. */
export function combineResults(results: readonly CheckResult[]): CheckResult {
  const remedies = [...new Set(results.flatMap(({ remedy }) => remedy ?? []))];
  return {
    status: worstOf(results.map(({ status }) => status)),
    message: results.map(({ message }) => message).join("\n"),
    ...(remedies.length > 0 && { remedy: remedies.join("\n") }),
  };
}

const maxShown = 10;

/** Indented lines for a message, at most ten. */
export function listLines(things: readonly string[]): string[] {
  const left = things.length - maxShown;
  const shown = things.slice(0, maxShown).map((thing) => `  ${visible(thing)}`);
  return left > 0 ? [...shown, `  and ${left} more`] : shown;
}
