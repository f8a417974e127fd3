import { parallelSteps } from "../../core/decide/parallel-steps.ts";
import type { RunEvent } from "../../core/state/event.ts";
import { chosenDialects } from "../../dialects/dialects.ts";
import { runProject } from "../../entry/run-project.ts";
import { stopReasons } from "../../error.ts";
import { replayJournal } from "../../journal/journal.ts";
import type { Files } from "../../platform/system.ts";
import type { Project } from "../../session/open/open-project.ts";
import { counted } from "../../text/figures.ts";
import { summarize } from "../../views/summary/summary.ts";
import { renderSummary } from "../../views/summary/summary-text.ts";
import { type Action, shownBelow } from "../core/command.ts";
import { createLiveLines } from "../core/live-lines.ts";
import type { Output } from "../core/output.ts";
import { parseRunOptions, type TypedRunOptions } from "./run-options.ts";

/** `ralph run`: runs the loop with live lines and prints the outcome. */
export const run: Action<TypedRunOptions> = async (context, typed) => {
  const { system, globals, directory, output, signal } = context;
  const options = parseRunOptions(typed, system.env);
  const request = { directory, config: globals.config, sessionDir: globals.sessionDir, options };
  const outcome = await runProject(system, request, {
    live: createLiveLines(output, system.clock),
    chooseBranch: async (planned) =>
      (await import("./choose-branch.ts")).chooseBranch(context, planned),
    started: ({ journal }) => {
      if (output.level === "quiet") return;
      output.progress(`Session ${journal.state.session.session_id}`);
    },
    cancel: signal,
  });
  if (outcome.kind === "planned") return printPlan(output, outcome);
  if (outcome.kind === "waits") return printWaiting(output, outcome.message);
  const { state, session, project } = outcome;
  if (output.wantsJson) {
    output.json(summarize(state, await readEvents(system.files(session.folder))));
  } else {
    const sessionDir = shownBelow(project.root, session.sessionDir);
    output.result(renderSummary(summarize(state), { sessionDir }));
    for (const { completionLine } of chosenDialects(session.config.compat.emit)) {
      if (completionLine) output.result(completionLine(state));
    }
  }
  if (signal.aborted) output.progress("Cancelled. Continue with `ralph run --resume`.");
  return stopReasons[state.end?.reason ?? "agent_error"];
};

function printWaiting(output: Output, message: string): number {
  const reason = "nothing_to_do";
  return output.answer({ status: reason, stop_reason: reason, exit_code: 0, message }, message);
}

async function readEvents(files: Files): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await replayJournal(files, (event) => void events.push(event));
  return events;
}

type PlannedTasks = { project: Project; selected: readonly string[]; parallel: number };

/** `ralph run --dry-run`: prints the tasks in order and writes nothing. */
function printPlan(output: Output, { project, selected, parallel }: PlannedTasks): number {
  const { project: name, tasks: all } = project.prd;
  const open = selected.flatMap((id) => all.filter((task) => task.id === id && !task.passes));
  const groups = parallelSteps(all, selected);
  const tasks = open.map(({ id, title }) => ({ id, title }));
  if (!output.wantsJson) {
    for (const warning of project.warnings) output.problem(`Warning: ${warning}`);
  }
  const isSplit = parallel > 1 && groups.some(({ length }) => length > 1);
  const lines = [
    open.length === 0
      ? "Nothing to do: every task has already passed."
      : `${name}: ${counted(open.length, "task")} would run, in this order:`,
    ...open.map(({ id, title, priority }) => `  ${id}  (priority ${priority})  ${title}`),
    ...(isSplit ? [`In parallel, at most ${parallel} at a time, group by group:`] : []),
    ...(isSplit ? groups.map((ids) => `  ${ids.join(", ")}`) : []),
  ];
  return output.answer({ project: name, tasks, parallel, side_by_side: groups }, lines.join("\n"));
}
