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
import { openScanContext } from "../../scan/scan-context.ts";
import { counted } from "../../text/figures.ts";
import { plainText } from "../../text/plain-text.ts";
import type { TerminalStyle } from "../../views/terminal/terminal.ts";
import { type Action, addAction, type CommandHost, sessionDirOf } from "../core/command.ts";
import { styleOf } from "../core/live-lines.ts";
import type { Output } from "../core/output.ts";

type ScanOptions = { fix?: boolean; check?: string; strict?: boolean };

const names = checks.map(({ name }) => name);
const lines = [names.slice(0, 7), names.slice(7, 13), names.slice(13)];

const help = `
Checks: ${lines.map((line) => line.join(", ")).join(",\n  ")}.
All are quick but two: gates runs your commands in a folder of its own, and
agent-call calls each agent program once, which costs a few cents.
Exit 0: a run can begin. 1: something required is missing or does not work.
2: configuration or task list is wrong. 3: there are warnings, with --strict.

Examples:
  ralph scan                         everything, before the first run
  ralph scan --check no-agent-call   without spending anything
  ralph scan --check sandbox,agents  only these
  ralph scan --fix                   with the commands that put it right`;

/** `ralph scan`: is everything there that a run needs, and does it work? It changes nothing. */
export function addScan(program: Command, host: CommandHost): void {
  const command = program
    .command("scan")
    .summary("check that everything a run needs is there and works")
    .description(
      "Looks at git, configuration, tasks, agent programs, credentials, sandbox, tools and gates, and says what is wrong and how to put it right. It changes nothing.",
    )
    .option("--check <list>", "only these checks, by comma; no-NAME: all but that one")
    .option("--fix", "print the commands that put things right; none is run")
    .option("--strict", "exit 3 when there are warnings")
    .addHelpText("after", help);
  addAction(command, host, scan);
}

const scan: Action<ScanOptions> = async (context, options) => {
  const { system, directory, globals, output, signal } = context;
  const chosen = chooseChecks(options.check);
  await using scan = await openScanContext(system, {
    directory,
    config: globals.config,
    sessionDir: (root) => sessionDirOf(context, root),
    signal,
  });
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

/** A line when something begins that takes its time, and the answer of each check as soon as it is there. */
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

/** The commands that put a result right; none when nobody asked for them. */
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

/** `✓ git: git 2.43.0`; further lines are indented below. */
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

/** What `--quiet` does not silence. */
const needsAttention = ({ status }: NamedResult) => status === "error" || status === "warning";

/** The last line: can a run begin? `isWhole`: every check was asked for. */
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
  if (count("error") > 0) return `A run cannot begin yet: ${figures}.`;
  if (count("warning") > 0) {
    return `Nothing that is required is missing; see the warnings: ${figures}.`;
  }
  return `${isWhole ? "Ready" : "No trouble in what was looked at"}: ${figures}.`;
}

/** One object for programs (compatibility 1.17). */
async function scanJson(
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
