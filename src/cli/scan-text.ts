import type { CheckStatus } from "../doctor/check.ts";
import { commandsOf } from "../doctor/install.ts";
import { type NamedResult, verdictOf } from "../doctor/run-checks.ts";
import { counted } from "../run/counted.ts";
import { plainText } from "../surfaces/plain-text.ts";
import type { TerminalStyle } from "../surfaces/views/terminal.ts";
import type { System } from "../system/system.ts";

/** The commands that put a result right; none when nobody asked for them. */
export type Advice = (result: NamedResult) => Promise<readonly string[]>;

export async function adviceFor(
  system: Pick<System, "ask" | "env">,
  { result, isWanted }: { result: NamedResult; isWanted: boolean },
): Promise<readonly string[]> {
  const { status, fixes } = result;
  const isBad = status === "error" || status === "warning";
  return isWanted && isBad && fixes ? commandsOf(system, fixes) : [];
}

const signs: Record<CheckStatus, [string, keyof TerminalStyle]> = {
  pass: ["✓", "good"],
  warning: ["!", "wait"],
  error: ["✗", "bad"],
  skipped: ["·", "faint"],
};

/** `✓ git: git 2.43.0`; further lines are indented below. */
export function renderResult(
  { name, status, message, remedy }: NamedResult,
  { style, fixes }: { style: TerminalStyle; fixes: readonly string[] },
): string {
  const [sign, colour] = signs[status];
  const [first = "", ...rest] = plainText(message).split("\n");
  const answer = status === "skipped" ? `skipped, ${first}` : first;
  const isBad = status === "error" || status === "warning";
  return [
    `${style[colour](sign)} ${name}: ${answer}`,
    ...rest.map((line) => `    ${line}`),
    ...(isBad && remedy
      ? plainText(remedy)
          .split("\n")
          .map((line) => `    ${line}`)
      : []),
    ...fixes.map((command) => `    Fix: ${command}`),
  ].join("\n");
}

/** The last line: can a run begin? */
export function closing(
  results: readonly NamedResult[],
  { isCancelled }: { isCancelled: boolean },
): string {
  const count = (status: CheckStatus) => results.filter((one) => one.status === status).length;
  const figures = [
    `${count("pass")} passed`,
    counted(count("warning"), "warning"),
    counted(count("error"), "error"),
    `${count("skipped")} skipped`,
  ].join(", ");
  if (isCancelled) return `Cancelled: ${figures}.`;
  if (count("error") > 0) return `A run cannot begin yet: ${figures}.`;
  return count("warning") > 0
    ? `Nothing that is required is missing; see the warnings: ${figures}.`
    : `Ready: ${figures}.`;
}

/** One object for programs (compatibility 1.17). */
export async function scanJson(
  results: readonly NamedResult[],
  { exitCode, advise }: { exitCode: number; advise: Advice },
): Promise<unknown> {
  const told = (status: CheckStatus) =>
    results
      .filter((one) => one.status === status)
      .map(({ name, message }) => `${name}: ${message}`);
  const entries = results.map(async (result) => {
    const { name, fixes: _, ...rest } = result;
    const fixes = await advise(result);
    return [name, { ...rest, ...(fixes.length > 0 && { fix: fixes }) }] as const;
  });
  return {
    status: verdictOf(results),
    exit_code: exitCode,
    errors: told("error"),
    warnings: told("warning"),
    checks: Object.fromEntries(await Promise.all(entries)),
  };
}
