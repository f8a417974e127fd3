import { type Problem, visible } from "../error.ts";
import type { ScanContext } from "./scan-context.ts";

export type CheckStatus = "pass" | "warning" | "error" | "skipped";

/** What puts something right: a program to install, whatever this system calls it, or a command as it is. */
export type Fix = { install: string } | { command: string };

/** What a check found. `message` may have several lines; the first one is the answer. */
export interface CheckResult {
  status: CheckStatus;
  message: string;
  remedy?: string;
  /** Where what was looked at is, and its version. */
  path?: string;
  version?: string;
  fixes?: readonly Fix[];
  /** Every place that is wrong, for programs; `message` tells them to people. */
  problems?: readonly Problem[];
}

/** What a check may need of the context; where it cannot be had one check says why (`run-checks.ts`), the others are skipped. */
export type Need = "state" | "git" | "config" | "repo" | "agents" | "sandbox";

/**
 * One thing `ralph scan` looks at: one file, one line in `checks.ts`. A check changes nothing; a RalphError it
 * throws is an error of this check.
 */
export interface Check {
  /** Its name in `--check` and `--json`. */
  name: string;
  needs: readonly Need[];
  /** Said before it begins, when it takes its time. */
  notice?: string;
  /** What puts right what it throws. */
  fixes?: readonly Fix[];
  run: (context: ScanContext) => Promise<CheckResult>;
}

type More = Omit<CheckResult, "status" | "message">;

export const pass = (message: string, more: More = {}): CheckResult => ({
  status: "pass",
  message,
  ...more,
});

export const warningResult = (message: string, more: More = {}): CheckResult => ({
  status: "warning",
  message,
  ...more,
});

export const failure = (message: string, more: More = {}): CheckResult => ({
  status: "error",
  message,
  ...more,
});

export const skipped = (message: string): CheckResult => ({ status: "skipped", message });

/** The worst of several statuses; `pass` when there is none. */
export function worstOf(statuses: readonly CheckStatus[]): CheckStatus {
  return (["error", "warning"] as const).find((status) => statuses.includes(status)) ?? "pass";
}

/** Several answers as one: the worst status, every message, each remedy once. */
export function combineResults(results: readonly CheckResult[]): CheckResult {
  const remedies = [...new Set(results.flatMap(({ remedy }) => remedy ?? []))];
  return {
    status: worstOf(results.map(({ status }) => status)),
    message: results.map(({ message }) => message).join("\n"),
    ...(remedies.length > 0 && { remedy: remedies.join("\n") }),
  };
}

const maxShown = 10;

/** A line for each of these, at most ten, for the lines below an answer. */
export function listLines(things: readonly string[]): string[] {
  const left = things.length - maxShown;
  const shown = things.slice(0, maxShown).map((thing) => `  ${visible(thing)}`);
  return left > 0 ? [...shown, `  and ${left} more`] : shown;
}
