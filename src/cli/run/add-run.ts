import { type Command, Option } from "commander";
import { drivers } from "../../agents/drivers/drivers.ts";
import { gateChoices } from "../../schema/config/gates.ts";
import { serviceEnvs } from "../../schema/config/services.ts";
import { addAction, type CommandHost } from "../core/command.ts";
import { run } from "./run.ts";

const driverNames = drivers.map(({ name }) => name).join(", ");

const help = `
With --parallel, tasks of the same priority, and tasks whose dependsOn have
passed, run at the same time. Each task has its own work tree, where \`setup\`
runs first; untracked files are missing there. Approved work is merged with the
tasks that have passed meanwhile, proved again as a whole and committed, one
task at a time. When two tasks conflict, the second one starts again on top of
the first.`;

/** `ralph run` and its options. */
export function addRun(program: Command, host: CommandHost): void {
  const command = program
    .command("run")
    .summary("work through the task list")
    .description(
      "Works through the open tasks of .ralph/prd.json on a branch, with one commit per passed task. A task only passes with proof. Interrupted work is kept; `--resume` continues it.",
    )
    .option("-p, --prd-json <file>", "task list (.ralph/prd.json)")
    .option("--cr <file>", "tasks from a change request in Markdown")
    .option("--latest-cr", "tasks from the newest change request")
    .option("-t, --task <id>", "only this task")
    .option("--from-task <id>", "this task and those after it")
    .option("--max-iterations <n>", "iterations a task may take")
    .option("--post-verify", "after the last task, start the services and run the tests of `ui`")
    .option("--no-post-verify", "leave that out, even if tests of `ui` are enabled")
    .option("--ui-verify", "with browser tests, even if they are not enabled")
    .option("--no-ui-verify", "leave them out")
    .option("--robot-verify", "with Robot Framework tests, even if they are not enabled")
    .option("--no-robot-verify", "leave them out")
    .option("--fix", "let agents repair these failures, even if only services run")
    .option("--no-fix", "change nothing after the last task")
    .addOption(
      new Option(
        "--gates <level>",
        "gates inside an iteration; full ones always run before a pass",
      ).choices(gateChoices),
    )
    .option("--model-impl <model>", "model that implements")
    .option("--model-test <model>", "model that writes tests")
    .option("--model-review <model>", "model that reviews")
    .option("--agent <driver>", `agent program for all roles: ${driverNames}`)
    .option("--timeout <time>", "limit of one agent call: seconds, or 90s, 30m, 2h")
    .addOption(
      new Option("--env <name>", "which commands start the services (dev)").choices(serviceEnvs),
    )
    .option("--parallel <n>", "tasks worked on side by side, each in a work tree of its own")
    .option("--budget <usd>", "what this session may spend in all, in US dollars (exit 21)")
    .option("--max-runtime <time>", "stop in good order after this time (exit 22)")
    .option("--keep-going", "go on with independent tasks when one fails")
    .option("--resume [bundle]", "go on with the last unfinished session, or with a bundle's")
    .option("--dry-run", "show what would be done and write nothing")
    .addHelpText("after", help);
  for (const option of otherNames) command.addOption(option.hideHelp());
  addAction(command, host, run);
}

/** The specification's other names of --[no-]ui-verify and --[no-]robot-verify. */
const otherNames = [
  new Option("--with-smoke").implies({ uiVerify: true }),
  new Option("--no-smoke").implies({ uiVerify: false }),
  new Option("--with-robot").implies({ robotVerify: true }),
  new Option("--no-robot").implies({ robotVerify: false }),
];
