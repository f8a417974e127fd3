import type { Command } from "commander";
import { stopReasons } from "../../error.ts";
import { checks, chooseChecks } from "../../scan/checks.ts";
import { exitCodeOf, runChecks, type Watcher } from "../../scan/run-checks.ts";
import { openScene } from "../../scan/scene.ts";
import { act, type CommandHost } from "../core/act.ts";
import type { Action } from "../core/command.ts";
import { styleOf } from "../core/live-lines.ts";
import type { Output } from "../core/output.ts";
import { sessionDirOf } from "../core/session-dir.ts";
import {
  type Advice,
  adviceFor,
  closing,
  needsPerson,
  renderResult,
  scanJson,
} from "./scan-text.ts";

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
export function addScan(program: Command, outside: CommandHost): void {
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
  act(command, outside, scan);
}

const scan: Action<ScanOptions> = async (context, options) => {
  const { system, directory, globals, output, signal } = context;
  const chosen = chooseChecks(options.check);
  await using scene = await openScene(system, {
    directory,
    config: globals.config,
    sessionDir: (root) => sessionDirOf(context, root),
    signal,
  });
  const advise: Advice = (result) => adviceFor(system, { result, isWanted: options.fix ?? false });
  const watcher = watcherOf(output, advise);
  const results = await runChecks(scene, chosen, watcher);
  const isWhole = chosen.length === checks.length;
  const exitCode = signal.aborted
    ? stopReasons.cancelled
    : exitCodeOf(results, { isStrict: options.strict ?? false });
  if (output.wantsJson) output.json(await scanJson(results, { exitCode, advise }));
  else output.result(closing(results, { isCancelled: signal.aborted, isWhole }));
  return exitCode;
};

/** A line when something begins that takes its time, and the answer of each check as soon as it is there. */
function watcherOf(output: Output, advise: Advice): Watcher {
  const style = styleOf(output);
  const isQuiet = output.level === "quiet";
  return {
    onStart: ({ name, patience }) => {
      if (patience !== undefined && !isQuiet) output.progress(`… ${name}: ${patience}`);
    },
    onEnd: async (result) => {
      if (output.wantsJson || (isQuiet && !needsPerson(result))) return;
      output.result(renderResult(result, { style, fixes: await advise(result) }));
    },
  };
}
