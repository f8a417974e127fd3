import { dirname, resolve } from "node:path/posix";
import type { Command } from "commander";
import { type EvaluationRun, evaluationFigures } from "../../core/checks/evaluation-score.ts";
import { RalphError, stopReasons } from "../../error.ts";
import { type Contestant, chooseContestants } from "../../eval/contestants.ts";
import type { PreparedTask } from "../../eval/hidden-files.ts";
import { mineHistory } from "../../eval/mine-history.ts";
import { playTask } from "../../eval/play-task.ts";
import { prepareTasks, readEvaluation } from "../../eval/read-evaluation.ts";
import type { ScanContext } from "../../scan/scan-context.ts";
import { plainLine } from "../../text/plain-text.ts";
import { renderEvaluationPage } from "../../views/html/evaluation-page.ts";
import { pageStart } from "../../views/html/page.ts";
import { describeRun, renderEvaluation } from "../../views/summary/evaluation-text.ts";
import {
  type Action,
  addAction,
  type CommandContext,
  type CommandHost,
  wholeNumber,
} from "../core/command.ts";
import { openScan } from "../core/open-scan.ts";
import { replaceGenerated } from "../core/replace-generated.ts";

type EvalOptions = {
  tasks?: string;
  history?: string;
  agents?: string;
  html?: string;
  dryRun?: boolean;
};

const help = `
Every agent works on every task in a copy of the repository that ends with the
task's commit, through the whole loop with your gates. Then tests that no agent
saw are laid over the result. "Falsely proved" means: it passed here, and those
tests are red. Agent calls cost the same as in a run.

Tasks come from the newest commits that changed code and tests (--history), or
from a file (--tasks), which may also name agents and impossible tasks.

Examples:
  ralph eval --history 5 --dry-run               which commits become tasks
  ralph eval --history 10 --agents claude:opus,codex --html eval.html
  ralph eval --tasks eval.yml --agents careful,hasty --json`;

/** `ralph eval` and its options. */
export function addEval(program: Command, host: CommandHost): void {
  const command = program
    .command("eval")
    .summary("measure agents on tasks of this repository")
    .description(
      "Lets agents work on tasks with a known result, and counts proved, falsely proved and unproved tasks, with dollars and minutes.",
    )
    .option("--tasks <file>", "tasks, agents and hidden tests, in YAML or JSON")
    .option("--history <n>", "so many tasks from the newest fitting commits")
    .option("--agents <list>", "names of the file, or driver:model, with commas between them")
    .option("--html <file>", "write the result as one HTML page as well")
    .option("--dry-run", "show the tasks and call no agent")
    .addHelpText("after", help);
  addAction(command, host, evaluate);
}

const evaluate: Action<EvalOptions> = async (command, options) => {
  const { signal, output } = command;
  await using context = await openScan(command);
  const { tasks, contestants } = await plan(command, context, options);
  if (options.dryRun) return printTasks(command, tasks);
  const runs = await playAll(command, context, { tasks, contestants });
  if (options.html !== undefined) await writePage(command, { file: options.html, runs, context });
  output.answer({ agents: evaluationFigures(runs), runs }, renderEvaluation(runs));
  return signal.aborted ? stopReasons.cancelled : 0;
};

/** One after the other. Runs that ended before a cancellation count. */
async function playAll(
  { output, signal }: CommandContext,
  context: ScanContext,
  { tasks, contestants }: { tasks: readonly PreparedTask[]; contestants: readonly Contestant[] },
): Promise<EvaluationRun[]> {
  const runs: EvaluationRun[] = [];
  const pairs = tasks.flatMap((task) => contestants.map((contestant) => ({ task, contestant })));
  for (const { task, contestant } of pairs) {
    const run = await playTask(context, { task, contestant, signal });
    if (signal.aborted) break;
    runs.push(run);
    output.progress(`${run.agent}: ${plainLine(task.name, 80)}: ${describeRun(run)}`);
  }
  return runs;
}

/** Reports mistakes in the options and the file before it looks at any commit. */
async function plan(command: CommandContext, context: ScanContext, options: EvalOptions) {
  const count = wholeNumber("--history", options.history, { max: 9999 }) ?? 0;
  const written = await readFile(command, context, options.tasks);
  if (count === 0 && !written) throw nothingNamed;
  const { agents = {}, folder = context.root } = written ?? {};
  const contestants = chooseContestants(options.agents, { agents, folder });
  const notice = (line: string) => command.output.progress(plainLine(line));
  const mined = count === 0 ? [] : await mineHistory(context, { count, notice });
  const tasks = [...(written?.tasks ?? []), ...mined];
  if (tasks.length === 0) throw noTask;
  return { tasks, contestants };
}

/** The tasks and agents of a file, and the folder it is in. */
async function readFile(
  { directory }: CommandContext,
  context: ScanContext,
  file: string | undefined,
) {
  if (file === undefined) return undefined;
  const path = resolve(directory, file);
  const written = await readEvaluation(context, path);
  const folder = dirname(path);
  return { agents: written.agents, folder, tasks: await prepareTasks(context, written, folder) };
}

const nothingNamed = new RalphError("config", {
  message: "There is nothing to evaluate.",
  remedy: "Use --history N for tasks from this repository's commits, or --tasks FILE.",
});

const noTask = new RalphError("source", {
  message: "No commit of this branch fits: none changed code and tests, and is green today.",
  remedy: "Write tasks into a file for --tasks; the lines above say why each commit is left out.",
});

function printTasks({ output }: CommandContext, tasks: readonly PreparedTask[]): number {
  const shown = tasks.map(({ name, start, hidden, isImpossible, task }) => ({
    name,
    title: task.title,
    start,
    hidden: [...hidden.keys()],
    impossible: isImpossible,
  }));
  const lines = shown.map(({ name, start, hidden, impossible }) => {
    const judges = impossible ? "impossible" : `hidden: ${hidden.join(", ")}`;
    return plainLine(`${name}  (from ${start.slice(0, 13)}; ${judges})`, 400);
  });
  return output.answer({ tasks: shown }, lines.join("\n"));
}

async function writePage(
  { system, directory }: CommandContext,
  { file, runs, context }: { file: string; runs: readonly EvaluationRun[]; context: ScanContext },
): Promise<void> {
  const made = new Date(system.clock.now()).toISOString().slice(0, 10);
  const project = context.root.split("/").at(-1) ?? "project";
  const text = renderEvaluationPage(runs, { project, made });
  const path = resolve(directory, file);
  await replaceGenerated(system, { path, text, start: pageStart, example: "eval.html" });
}
