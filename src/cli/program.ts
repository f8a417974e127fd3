import { Command } from "commander";
import { ralphVersion } from "../entry/version.ts";
import { addAction, type CommandHost } from "./core/command.ts";
import { addHook } from "./hooks/hook.ts";
import { addInit } from "./init/init.ts";
import { showNextStep } from "./init/next-step.ts";
import { addPublish } from "./publish/publish.ts";
import { addRun } from "./run/add-run.ts";
import { addAutopilot } from "./run/autopilot.ts";
import { addAudit } from "./status/audit.ts";
import { addCancel } from "./status/cancel.ts";
import { addClean } from "./status/clean.ts";
import { addReport } from "./status/report.ts";
import { addScan } from "./status/scan.ts";
import { addStatus } from "./status/status.ts";
import { addExport } from "./tasks/export.ts";
import { addImport } from "./tasks/import.ts";
import { addMigrate } from "./tasks/migrate.ts";
import { addValidate } from "./validate/validate.ts";

const introduction = [
  "Works through a repository's task list with coding agents and proves every task.",
  "A project has two files: .ralph/ralph.yml (how) and .ralph/prd.json (what). For each task ralph lets an agent implement it, another one write tests, runs your gates, checks every acceptance criterion itself, has the work reviewed, and only then commits it as passed.",
].join("\n\n");

const firstSteps = `
First steps:
  ralph                 look at this folder and say the next step
  ralph init            write the first files, fitted to the project
  ralph validate        check .ralph/ralph.yml and .ralph/prd.json
  ralph run --dry-run   show what would be done
  ralph run             do it (Ctrl-C stops safely; ralph run --resume goes on)
  ralph status          how it stands
  ralph audit           check what is claimed
  ralph publish         push the branch and open the pull request

Exit codes: 0 done or nothing to do, 1 configuration, 2 task list, 3 a task
failed or is blocked, 4 a gate cannot be judged, 6 tampering, 7 cancelled,
8 agent never answered, 14 git, 15 no pull request, 20 agent kept failing,
21 budget used up, 22 out of time, 23 checkpoint, 24 another session is
running, 25 not fit to be published.`;

/** All commands with their options; parsing, help and suggestions are commander's. */
export function createProgram(host: CommandHost): Command {
  const program = new Command("ralph")
    .description(introduction)
    .usage("[options] [command]")
    .argument("[command]")
    .version(ralphVersion, "-V, --version", "print the version")
    .helpOption("-h, --help", "explain a command")
    .addHelpText("after", firstSteps)
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .option("-c, --config <file>", "configuration, relative to the project root", undefined)
    .option("--session-dir <folder>", "where the session's files are shown (.ralph-session)")
    .option("-v, --verbose", "more lines, with times")
    .option("--debug", "everything there is to say")
    .option("-q, --quiet", "only the outcome")
    .option("--json", "one JSON object on stdout, for programs")
    .option("--no-color", "no colours, even on a terminal");
  for (const add of commands) add(program, host);
  addAction(program, host, showNextStep(program));
  return program;
}

/** In the order of the help. */
const commands = [
  addInit,
  addScan,
  addRun,
  addAutopilot,
  addStatus,
  addCancel,
  addValidate,
  addImport,
  addExport,
  addMigrate,
  addReport,
  addAudit,
  addPublish,
  addClean,
  addHook,
];
