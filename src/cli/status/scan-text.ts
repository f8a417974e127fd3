import type { System } from "../../platform/system.ts";
import type { CheckStatus } from "../../scan/check.ts";
import { commandsOf } from "../../scan/install.ts";
import { type NamedResult, overallStatus } from "../../scan/run-checks.ts";
import { counted } from "../../text/figures.ts";
import { plainText } from "../../text/plain-text.ts";
import type { TerminalStyle } from "../../views/terminal/terminal.ts";

/** The commands that put a result right; none when nobody asked for them. */
export type Advice = (result: NamedResult) => Promise<readonly string[]>;

export async function adviceFor(
  system: Pick<System, "ask" | "env">,
  { result, isWanted }: { result: NamedResult; isWanted: boolean },
): Promise<readonly string[]> {
  const { fixes } = result;
  return isWanted && fixes ? commandsOf(system, fixes) : [];
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
  const below = [
    ...rest,
    ...(remedy ? plainText(remedy).split("\n") : []),
    ...fixes.map((command) => `Fix: ${command}`),
  ];
  return [`${style[colour](sign)} ${name}: ${answer}`, ...below.map((line) => `    ${line}`)].join(
    "\n",
  );
}

/** What `--quiet` does not silence. */
export const needsPerson = ({ status }: NamedResult) => status === "error" || status === "warning";

/** The last line: can a run begin? `isWhole`: every check was asked for. */
export function closing(
  results: readonly NamedResult[],
  { isCancelled, isWhole }: { isCancelled: boolean; isWhole: boolean },
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
  if (count("warning") > 0) {
    return `Nothing that is required is missing; see the warnings: ${figures}.`;
  }
  return `${isWhole ? "Ready" : "No trouble in what was looked at"}: ${figures}.`;
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
    status: overallStatus(results),
    exit_code: exitCode,
    errors: told("error"),
    warnings: told("warning"),
    checks: Object.fromEntries(await Promise.all(entries)),
  };
}
