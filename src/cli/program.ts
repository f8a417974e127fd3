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
  "A project has two files: the configuration .ralph/ralph.yml and the task list .ralph/prd.json. For each task, one agent implements it and another writes tests; ralph runs your gates and checks every acceptance criterion; a third agent reviews the work. Only then does ralph commit the task as passed.",
].join("\n\n");

const firstSteps = `
First steps:
  ralph                 show the next step in this folder
  ralph init            write the first files, fitted to the project
  ralph validate        check .ralph/ralph.yml and .ralph/prd.json
  ralph run --dry-run   show the tasks and their order
  ralph run             work through them (Ctrl-C stops, --resume continues)
  ralph status          show the progress
  ralph audit           check the proof of every passed task
  ralph publish         push the branch and open the pull request

Exit codes: 0 done or nothing to do, 1 configuration, 2 task list, 3 a task
failed or is blocked, 4 a gate cannot be judged, 6 tampering, 7 cancelled,
8 agent never answered, 14 git, 15 no pull request, 20 agent kept failing,
21 budget used up, 22 out of time, 23 checkpoint, 24 another session is
running, 25 not fit for publication.`;

/** All commands with their options. commander does parsing, help and suggestions. */
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
    .option("--session-dir <folder>", "folder for the session's files (.ralph-session)")
    .option("-v, --verbose", "print more lines, with times")
    .option("--debug", "print everything")
    .option("-q, --quiet", "print the outcome only")
    .option("--json", "print one JSON object on stdout")
    .option("--no-color", "use no colours, even on a terminal");
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
