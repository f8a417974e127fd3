import { type Command, Option } from "commander";
import type { Verification } from "../../core/state/verification.ts";
import { describeResult, verificationReason } from "../../core/verify/judge-verification.ts";
import type { VerifyChoices } from "../../core/verify/verify-plan.ts";
import { type FixListener, type FixOutcome, fixProject } from "../../entry/verify/fix-project.ts";
import { type VerifyListener, verifyProject } from "../../entry/verify/verify-project.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { gateChoices } from "../../schema/config/gates.ts";
import { serviceEnvs } from "../../schema/config/services.ts";
import { counted } from "../../text/figures.ts";
import { plainLine } from "../../text/plain-text.ts";
import { bad, type EventLine } from "../../views/terminal/line-marks.ts";

import { renderEventLine } from "../../views/terminal/terminal.ts";
import {
  describeGateRun,
  describeRepair,
  describeVerification,
} from "../../views/terminal/verification-line.ts";
import {
  type Action,
  addAction,
  type CommandHost,
  sessionDirOf,
  wholeNumber,
} from "../core/command.ts";
import type { Output } from "../core/output.ts";
import { styleOf } from "../core/waiting-lines.ts";

type VerifyOptions = VerifyChoices & { fix?: boolean; fixIterations?: string };

const help = `
Runs the full gates, starts the services and waits for their health, then runs
the tests of ui.agent_browser in Chromium and the suite of ui.robot. It checks
the work tree as it is, calls no agent and disturbs no session. Screenshots,
snapshots and what Robot Framework wrote are in .ralph-session/artifacts, the
services' output in .ralph-session/logs.

With --fix the planning agent reads what failed and plans, and the fix agent
repairs; then everything runs again, until all is green or a limit is reached.
Changes to tests and protected files are put back, and a repair that breaks a
gate is taken back. The repairs stay in the work tree: look at \`git diff\`.

Browser tests need Chromium or Chrome on PATH, or CHROME_PATH. Robot Framework
comes from the project's .venv, from uv, from PATH, or as a module of python3.

Examples:
  ralph verify                                as configured
  ralph verify --gates none --ui              services and browser tests only
  ralph verify --env prod                     with the build and the prod commands
  ralph verify --fix                          repair the failures
  ralph verify --base-url http://localhost:3000
                                              against a program that runs already

Exit codes: 0 all green, 1 configuration or a missing program, 4 a gate is red,
5 a browser or Robot Framework test failed, 7 cancelled, 9 a service did not
start, is not healthy, or ended. A service outranks gates, gates outrank tests.
With --fix also 8 an agent failed, 14 the work tree is not clean, 21 the budget
is used up, 24 another session is running.`;

/** `ralph verify`: checks the program as it runs. */
export function addVerify(program: Command, host: CommandHost): void {
  const command = program
    .command("verify")
    .summary("start the services and test the program as it runs")
    .description("Checks the program as it runs: gates, services, browser tests, Robot Framework.")
    .addOption(new Option("--gates <level>", "gates that run first (full)").choices(gateChoices))
    .option("--ui", "run the browser tests, even if they are not enabled")
    .option("--no-ui", "leave them out")
    .option("--robot", "run the Robot Framework suite, even if it is not enabled")
    .option("--no-robot", "leave it out")
    .addOption(
      new Option("--env <name>", "which commands start the services (dev)").choices(serviceEnvs),
    )
    .option("--skip-services", "start nothing: the services run already")
    .option("--base-url <url>", "where the pages are; starts nothing")
    .option("--fix", "let agents plan and repair the failures; needs a clean work tree")
    .option("--fix-iterations <n>", "most repairs of one part (limits.*_iterations)")
    .addHelpText("after", help);
  addAction(command, host, verify);
}

const verify: Action<VerifyOptions> = async (context, options) => {
  const { system, output, directory, globals, signal } = context;
  const { show, listener } = createListener(output, signal);
  const request = {
    directory,
    config: globals.config,
    sessionDir: (root: string) => sessionDirOf(context, root),
    choices: checkChoices(options),
  };
  const fixIterations = checkIterations(options);
  const outcome = options.fix
    ? await fixProject(system, { ...request, fixIterations }, { ...listener, ...fixLines(show) })
    : outcomeOf(await verifyProject(system, request, listener));
  if (signal.aborted) return stopReasons.cancelled;
  output.answer(resultJson(outcome), resultText(outcome));
  return stopReasons[outcome.reason];
};

const outcomeOf = (verification: Verification): FixOutcome => ({
  ...{ verification, fixes: 0 },
  reason: verificationReason(verification),
  message: describeResult(verification),
});

const resultText = ({ fixes, message }: FixOutcome): string =>
  fixes === 0 ? message : `${message} ${counted(fixes, "repair")} in the work tree: git diff.`;

function createListener(output: Output, cancel: AbortSignal) {
  const style = styleOf(output);
  const level = output.level === "debug" ? "verbose" : output.level;
  const show = (line: EventLine) => {
    for (const text of renderEventLine(line, { level, style })) output.progress(text);
  };
  const listener: VerifyListener = {
    cancel,
    warning: (message) => output.problem(`Warning: ${message}`),
    fact: (fact, { pictures }) => show(describeVerification(fact, pictures)),
    gateEnded: (gate, result) => show(describeGateRun({ ...result, gate })),
  };
  return { show, listener };
}

const fixLines = (show: (line: EventLine) => void): FixListener => ({
  repair: (fact) => show(describeRepair(fact)),
  remark: (text) => show(bad(plainLine(text, 600), "normal")),
});

function checkIterations({ fix, fixIterations }: VerifyOptions): number | undefined {
  const count = wholeNumber("--fix-iterations", fixIterations, { max: 50 });
  if (count === undefined || fix) return count;
  throw new RalphError("config", {
    message: "--fix-iterations needs --fix.",
    remedy: "Correct or remove this option.",
  });
}

function checkChoices(options: VerifyOptions): VerifyChoices {
  const { baseUrl } = options;
  if (baseUrl === undefined || /^https?:\/\/[^\s/]+/.test(baseUrl)) return options;
  throw new RalphError("config", {
    message: `--base-url=${baseUrl} must be an address such as http://localhost:3000.`,
    remedy: "Correct or remove this option.",
  });
}

const resultJson = ({ verification: { phases, tests }, reason, fixes }: FixOutcome) => ({
  status: reason === "all_done" ? "completed" : "failed",
  stop_reason: reason,
  exit_code: stopReasons[reason],
  fixes,
  phases: Object.values(phases).map(({ phase, status, detail, ms }) => ({
    ...{ phase, status, detail, duration_ms: Math.round(ms) },
  })),
  tests: tests.map(({ test, framework, status, detail, ms }) => ({
    ...{ test, framework, status, detail, duration_ms: Math.round(ms) },
  })),
});
