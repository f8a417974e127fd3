import type { Command } from "commander";
import { stopReasons } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import type { CheckStatus } from "../../scan/check.ts";
import { checks, chooseChecks } from "../../scan/checks.ts";
import { commandsOf } from "../../scan/install.ts";
import {
  exitCodeOf,
  type NamedResult,
  overallStatus,
  runChecks,
  type ScanListener,
} from "../../scan/run-checks.ts";
import { counted } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import type { TerminalStyle } from "../../views/terminal/terminal.ts";
import { type Action, addAction, type CommandHost } from "../core/command.ts";
import { openScan } from "../core/open-scan.ts";
import type { Output } from "../core/output.ts";
import { createWaitingLines, styleOf } from "../core/waiting-lines.ts";

const names = checks.map(({ name }) => name);
const lines = [names.slice(0, 7), names.slice(7, 13), names.slice(13)];

const help = `
Checks: ${lines.map((line) => line.join(", ")).join(",\n  ")}.
Two checks take time: gates runs your commands in a separate folder, and
agent-call calls each agent program once, which costs a few cents.
Exit 0: a run can start. 1: a requirement is missing or does not work.
2: configuration or task list is invalid. 14: there is no base branch.
3: warnings, with --strict.

Examples:
  ralph scan                         run all checks, before the first run
  ralph scan --check no-agent-call   run all checks that cost nothing
  ralph scan --check sandbox,agents  run only these checks
  ralph scan --fix                   also print commands that fix problems`;

/** `ralph scan`: checks that everything a run needs is present and works. It changes nothing. */
export function addScan(program: Command, host: CommandHost): void {
  const command = program
    .command("scan")
    .summary("check that everything a run needs is present and works")
    .description(
      "Checks git, configuration, tasks, agent programs, credentials, sandbox, tools and gates, and says how to fix each problem. It changes nothing.",
    )
    .option("--check <list>", "run only these checks, comma-separated; no-NAME excludes one")
    .option("--fix", "print commands that fix the problems, without running them")
    .option("--strict", "exit 3 when there are warnings")
    .addHelpText("after", help);
  addAction(command, host, scan);
}

const scan: Action<{ fix?: boolean; check?: string; strict?: boolean }> = async (
  context,
  options,
) => {
  const { system, output, signal } = context;
  const chosen = chooseChecks(options.check);
  const waiting = createWaitingLines(output, system.clock);
  const began = (name: string) => waiting.began(plainLine(name), true);
  await using scan = await openScan(context, began);
  const advise: Advice = (result) => adviceFor(system, { result, isWanted: options.fix ?? false });
  const listener = createListener(output, advise);
  const results = await runChecks(scan, chosen, listener);
  const isWhole = chosen.length === checks.length;
  const exitCode = signal.aborted
    ? stopReasons.cancelled
    : exitCodeOf(results, { isStrict: options.strict ?? false });
  if (output.wantsJson) output.json(await scanJson(results, { exitCode, advise }));
  else output.result(renderConclusion(results, { isCancelled: signal.aborted, isWhole }));
  return exitCode;
};

/** Announces slow checks and prints each result as soon as it is known. */
function createListener(output: Output, advise: Advice): ScanListener {
  const style = styleOf(output);
  const isQuiet = output.level === "quiet";
  return {
    onStart: ({ name, notice: patience }) => {
      if (patience !== undefined && !isQuiet) output.progress(`… ${name}: ${patience}`);
    },
    onEnd: async (result) => {
      if (output.wantsJson || (isQuiet && !needsAttention(result))) return;
      output.result(renderResult(result, { style, fixes: await advise(result) }));
    },
  };
}

/** The commands that fix a problem; empty without `--fix`. */
type Advice = (result: NamedResult) => Promise<readonly string[]>;

async function adviceFor(
  system: Pick<System, "ask" | "env">,
  { result, isWanted }: { result: NamedResult; isWanted: boolean },
): Promise<readonly string[]> {
  const { fixes } = result;
  return isWanted && fixes ? commandsOf(system, fixes) : [];
}

const symbols: Record<CheckStatus, [string, keyof TerminalStyle]> = {
  pass: ["✓", "good"],
  warning: ["!", "wait"],
  error: ["✗", "bad"],
  skipped: ["·", "faint"],
};

/** `✓ git: git 2.43.0`, with further lines indented. */
export function renderResult(
  { name, status, message, remedy }: NamedResult,
  { style, fixes }: { style: TerminalStyle; fixes: readonly string[] },
): string {
  const [sign, colour] = symbols[status];
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

/** Results that `--quiet` prints. */
const needsAttention = ({ status }: NamedResult) => status === "error" || status === "warning";

/** The last line says whether a run can start. `isWhole`: no check was excluded. */
export function renderConclusion(
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
  if (count("error") > 0) return `A run cannot start yet: ${figures}.`;
  if (count("warning") > 0) {
    return `All requirements are met; see the warnings: ${figures}.`;
  }
  return `${isWhole ? "Ready" : "No problem in these checks"}: ${figures}.`;
}

/** The results as JSON (compatibility 1.17). */
async function scanJson(
  results: readonly NamedResult[],
  { exitCode, advise }: { exitCode: number; advise: Advice },
): Promise<unknown> {
  const messages = (status: CheckStatus) =>
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
    errors: messages("error"),
    warnings: messages("warning"),
    checks: Object.fromEntries(await Promise.all(entries)),
  };
}
