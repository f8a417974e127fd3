import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import { cut } from "../../text/plain-text.ts";
import { findingsOf, plainFinding } from "./findings.ts";
import { ungatedNote } from "./gate-facts.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import { usagesOf } from "./totals.ts";

/** The summary at the end of a session on a terminal: outcome, tasks, failures, files, the next step. */
export function renderSummary(summary: Summary, { sessionDir }: { sessionDir: string }): string {
  const parts = [
    headline(summary),
    renderTaskTable(summary.tasks, summary.stop_reason !== null),
    ...leftOut(summary),
    ...repaired(summary),
    ...toLookAt(summary),
    ...summary.tasks.filter(isTroubled).map((task) => trouble(task, summary)),
    whereToLook(summary, sessionDir),
  ];
  return `${parts.join("\n\n")}\n`;
}

function headline(summary: Summary): string {
  const { status, message, exit_code, tasks_completed, tasks_total, iterations } = summary;
  const code = exit_code === null ? "" : ` (exit code ${exit_code})`;
  const cost = summary.cost_usd === null ? [] : [renderCost(summary.cost_usd)];
  const figures = [
    `${tasks_completed}/${tasks_total} tasks passed`,
    counted(iterations, "iteration"),
    renderDuration(summary.duration_ms),
    ...cost,
  ];
  const note = ungatedNote(summary);
  const end = note === undefined ? "" : ` But ${note}.`;
  return `${status.replaceAll("_", " ")}${code} - ${message}${end}\n${figures.join(", ")}`;
}

const columns = ["Task", "State", "Iterations", "Time", "Cost", "Commit", "Title"] as const;

/** One line per task, in columns. */
export function renderTaskTable(tasks: readonly TaskSummary[], isOver: boolean): string {
  const rows = [[...columns], ...tasks.map((task) => row(task, isOver))];
  const widths = columns.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  return rows
    .map((cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  "))
    .map((line) => line.trimEnd())
    .join("\n");
}

function row(task: TaskSummary, isOver: boolean): string[] {
  return [
    task.id,
    shownTaskState(task, isOver),
    String(task.iterations),
    task.duration_ms === null ? "-" : renderDuration(task.duration_ms),
    task.cost_usd === null ? "-" : renderCost(task.cost_usd),
    task.commit ?? "-",
    cut(task.title, 60),
  ];
}

/** The state of a task for people; one that still ran when its session ended was interrupted. */
export function shownTaskState({ passed_before, state }: TaskSummary, isOver: boolean): string {
  if (passed_before) return "passed before";
  return isOver && state === "running" ? "interrupted" : state;
}

function leftOut({ left_out }: Summary): string[] {
  const rows = left_out.map(({ id, because, title }) => `${id} left out, ${because}: ${title}`);
  return rows.length === 0 ? [] : [rows.join("\n")];
}

function repaired({ repairs }: Summary): string[] {
  const rows = repairs.map(({ name, phase, outcome, commit, result }) => {
    const done = commit === null ? outcome : `${outcome} as ${commit}`;
    return `${name} (${phase}) ${done}: ${result}`;
  });
  return rows.length === 0 ? [] : [rows.join("\n")];
}

/** The reasons that keep a pull request a draft. */
export function toLookAt(summary: Pick<Summary, "tasks" | "repairs">): string[] {
  const rows = findingsOf(summary, "finding").map(
    ({ id, finding }) => `${id} please look at: ${plainFinding(finding)}`,
  );
  return rows.length === 0 ? [] : [rows.join("\n")];
}

const isTroubled = ({ state, message, kept }: TaskSummary) =>
  state !== "passed" && (message ?? kept) !== null;

function trouble(task: TaskSummary, { head, stop_reason }: Summary): string {
  const { id, reason, kept, kept_from: from } = task;
  const state = shownTaskState(task, stop_reason !== null);
  const look = kept
    ? [
        `  Its work is kept: git diff ${from ?? head} ${kept}`,
        `  One file of it:   git show ${kept}:PATH`,
      ]
    : [];
  return [`${id} ${state}${reason === null ? "" : `: ${reason}`}`, ...look].join("\n");
}

/** Cost by role; empty when no program reported a cost. */
function costs({ cost_usd, usage_by_role }: Summary): string[] {
  if (cost_usd === null) return [];
  const rows = usagesOf(usage_by_role).map(
    ({ role, usage }) => `${role} ${renderCost(usage.cost_usd)} (${counted(usage.calls, "call")})`,
  );
  return [`Cost     ${rows.join(", ")}`];
}

function whereToLook(summary: Summary, sessionDir: string): string {
  const { start, head } = summary;
  const commits = start === head ? [] : [`Commits  git log --oneline ${start}..${head}`];
  return [
    `Session  ${sessionDir} (timeline and output in ${sessionDir}/logs)`,
    ...commits,
    ...costs(summary),
    `Next     ${summary.next}`,
  ].join("\n");
}
