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
import type { Action } from "../core/command.ts";
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
    const sessionDir = shown(session.sessionDir, project.root);
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
  if (output.wantsJson) output.json({ status: reason, stop_reason: reason, exit_code: 0, message });
  else output.result(message);
  return stopReasons.nothing_to_do;
}

async function readEvents(files: Files): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  await replayJournal(files, (event) => void events.push(event));
  return events;
}

const shown = (path: string, root: string) =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

/** `ralph run --dry-run`: prints the tasks in order and writes nothing. */
function printPlan(
  output: Output,
  {
    project,
    selected,
    parallel,
  }: { project: Project; selected: readonly string[]; parallel: number },
): number {
  const open = selected.flatMap((id) =>
    project.prd.tasks.filter((task) => task.id === id && !task.passes),
  );
  const groups = parallelSteps(project.prd.tasks, selected);
  if (output.wantsJson) {
    output.json({
      project: project.prd.project,
      tasks: open.map(({ id, title }) => ({ id, title })),
      parallel,
      side_by_side: groups,
    });
    return 0;
  }
  for (const warning of project.warnings) output.problem(`Warning: ${warning}`);
  if (open.length === 0) output.result("Nothing to do: every task has already passed.");
  else
    output.result(
      `${project.prd.project}: ${counted(open.length, "task")} would run, in this order:`,
    );
  for (const { id, title, priority } of open)
    output.result(`  ${id}  (priority ${priority})  ${title}`);
  if (parallel > 1 && groups.some(({ length }) => length > 1)) {
    output.result(`In parallel, at most ${parallel} at a time, group by group:`);
    for (const ids of groups) output.result(`  ${ids.join(", ")}`);
  }
  return 0;
}
