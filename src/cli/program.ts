import { Command } from "commander";
import { ralphVersion } from "../door/version.ts";
import { act, type Outside } from "./act.ts";
import { addRun } from "./add-run.ts";
import { addAudit } from "./audit.ts";
import { addAutopilot } from "./autopilot.ts";
import { addCancel } from "./cancel.ts";
import { addClean } from "./clean.ts";
import { addExport } from "./export.ts";
import { addHook } from "./hook.ts";
import { addImport } from "./import.ts";
import { addInit } from "./init.ts";
import { addMigrate } from "./migrate.ts";
import { addPublish } from "./publish.ts";
import { addReport } from "./report.ts";
import { addScan } from "./scan.ts";
import { addStatus } from "./status.ts";
import { addValidate } from "./validate.ts";
import { welcome } from "./welcome.ts";

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
export function createProgram(outside: Outside): Command {
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
  for (const add of commands) add(program, outside);
  act(program, outside, welcome(program));
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
