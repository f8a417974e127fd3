import { Command } from "commander";
import { ralphVersion } from "../entry/version.ts";
import { addAction, type CommandHost } from "./core/command.ts";

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
failed or is blocked, 4 a gate cannot be judged, 5 a browser or Robot Framework
test failed, 6 tampering, 7 cancelled, 8 agent never answered, 9 a service did
not start, 14 git, 15 no pull request, 20 agent kept failing,
21 budget used up, 22 out of time, 23 checkpoint, 24 another session is
running, 25 not fit for publication.`;

/** The commands that the arguments name, or all of them; only their code is loaded. */
export async function createProgram(host: CommandHost, args: readonly string[]): Promise<Command> {
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
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: /, "Error: ")),
    })
    .option("-c, --config <file>", "configuration, relative to the project root", undefined)
    .option("--session-dir <folder>", "folder for the session's files (.ralph-session)")
    .option("-v, --verbose", "print more lines, with times")
    .option("--debug", "print everything")
    .option("-q, --quiet", "print the outcome only")
    .option("--json", "print one JSON object on stdout")
    .option("--no-color", "use no colours, even on a terminal");
  for (const name of wantedCommands(args)) {
    const group = working.has(name)
      ? (await import("./working.ts")).workingCommands
      : (await import("./looking.ts")).lookingCommands;
    group[name]?.(program, host);
  }
  addAction(program, host, async (context) => {
    const { showNextStep } = await import("./looking.ts");
    return showNextStep(program)(context, {});
  });
  return program;
}

/** In the order of the help. */
const names = [
  ...[
    "init",
    "scan",
    "run",
    "verify",
    "autopilot",
    "status",
    "cancel",
    "validate",
    "import",
    "export",
  ],
  ...["migrate", "report", "audit", "publish", "eval", "clean", "hook"],
];

/** Commands whose code is loaded apart from the others'. */
const working = new Set(["run", "verify", "autopilot", "publish", "eval"]);

/** A program without the other commands answers the same; without any it could not correct a misspelt one. */
function wantedCommands(args: readonly string[]): string[] {
  if (args[0] === "--version" || args[0] === "-V") return [];
  const named = names.filter((name) => args.includes(name));
  return named.length > 0 && !args.includes("help") ? named : names;
}
