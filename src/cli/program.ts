import { Command, Option } from "commander";
import type { System } from "../system/system.ts";
import type { Action, GlobalOptions } from "./command.ts";
import { createOutput } from "./output.ts";
import { reportError } from "./report-error.ts";
import { run } from "./run.ts";
import { ralphVersion } from "./version.ts";

type Outside = {
  system: System;
  directory: string;
  streams: { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream };
  cancel: () => AbortSignal;
  exit: (code: number) => void;
};

const introduction = `Works through a repository's task list with coding agents and proves every task.

A project has two files: .ralph/ralph.yml (how) and .ralph/prd.json (what). For each task ralph lets an agent
implement it, another one write tests, runs your gates, checks every acceptance criterion itself, has the work
reviewed, and only then commits it as passed.`;

const firstSteps = `
First steps:
  ralph validate        check .ralph/ralph.yml and .ralph/prd.json
  ralph run --dry-run   show what would be done
  ralph run             do it (Ctrl-C stops safely; ralph run --resume goes on)
  ralph status          how it stands

Exit codes: 0 done or nothing to do, 1 configuration, 2 task list, 3 a task failed or is blocked, 4 a gate cannot be
judged, 6 tampering, 7 cancelled, 8 agent never answered, 14 git, 20 agent kept failing, 22 out of time,
23 checkpoint, 24 another session is running.`;

/** All commands with their options; parsing, help and suggestions are commander's. */
export function createProgram(outside: Outside): Command {
  const program = new Command("ralph")
    .description(introduction)
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
  addRun(program, outside);
  return program;
}

/** Gives a command its action: context in, exit code out, errors told in one place. */
export function act<Options>(command: Command, outside: Outside, action: Action<Options>): void {
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions & Options>();
    const output = createOutput(globals, outside.system.env, outside.streams);
    const context = {
      system: outside.system,
      output,
      directory: outside.directory,
      globals,
      args: given.slice(0, -2).flat().map(String),
      signal: outside.cancel(),
    };
    try {
      outside.exit(await action(context, globals));
    } catch (error) {
      outside.exit(reportError(error, output));
    }
  });
}

function addRun(program: Command, outside: Outside): void {
  const command = program
    .command("run")
    .summary("work through the task list")
    .description(
      "Works through the open tasks of .ralph/prd.json on their own branch, one commit per passed task. What is not proved is not passed. Interrupted work is kept; `--resume` goes on.",
    )
    .option("-p, --prd-json <file>", "task list (.ralph/prd.json)")
    .option("--cr <file>", "tasks from a change request in Markdown (later)")
    .option("--latest-cr", "tasks from the newest change request (later)")
    .option("-t, --task <id>", "only this task")
    .option("--from-task <id>", "this task and those after it")
    .option("--max-iterations <n>", "iterations a task may take")
    .option("--post-verify", "verify again after the last task (later)")
    .option("--no-post-verify", "leave that out")
    .option("--ui-verify", "with browser tests (later)")
    .option("--no-ui-verify", "leave them out")
    .option("--robot-verify", "with Robot Framework tests (later)")
    .option("--no-robot-verify", "leave them out")
    .addOption(
      new Option(
        "--gates <level>",
        "gates inside an iteration; full ones always run before a pass",
      ).choices(["build", "full", "none"]),
    )
    .option("--model-impl <model>", "model that implements")
    .option("--model-test <model>", "model that writes tests")
    .option("--model-review <model>", "model that reviews")
    .option("--agent <driver>", "agent program for all roles: claude, command, scripted")
    .option("--timeout <time>", "limit of one agent call: seconds, or 90s, 30m, 2h")
    .addOption(
      new Option("--env <name>", "how services are started (later)").choices(["dev", "prod"]),
    )
    .option("--parallel <n>", "tasks side by side (later)")
    .option("--budget <usd>", "what may be spent (later)")
    .option("--max-runtime <time>", "stop in good order after this time (exit 22)")
    .option("--keep-going", "go on with independent tasks when one fails")
    .option("--resume [bundle]", "go on with the last unfinished session, or with a bundle's")
    .option("--dry-run", "show what would be done and write nothing");
  act(command, outside, run);
}
