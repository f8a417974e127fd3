import { counted, orDash, renderCost, renderDuration } from "../../text/figures.ts";
import { cut } from "../../text/plain-text.ts";
import { findingsOf, plainFinding } from "./findings.ts";
import { ifUngated } from "./gate-facts.ts";
import { shownTaskState, taskCells } from "./report-parts.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import { usagesOf } from "./totals.ts";

/** The summary at the end of a session on a terminal: outcome, tasks, failures, files, the next step. */
export function renderSummary(summary: Summary, { sessionDir }: { sessionDir: string }): string {
  const parts = [
    headline(summary),
    renderTaskTable(summary.tasks, summary.stop_reason !== null),
    ...block(summary.left_out, ({ id, because, title }) => `${id} left out, ${because}: ${title}`),
    ...block(summary.repairs, repaired),
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
  const end = ifUngated(summary, (note) => ` But ${note}.`);
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

const row = (task: TaskSummary, isOver: boolean): string[] => [
  task.id,
  ...taskCells(task, isOver),
  orDash(task.commit),
  cut(task.title, 60),
];

/** One line for each entry; no block without an entry. */
const block = <Entry>(entries: readonly Entry[], line: (entry: Entry) => string): string[] =>
  entries.length === 0 ? [] : [entries.map(line).join("\n")];

function repaired({ name, phase, outcome, commit, result }: Summary["repairs"][number]): string {
  const done = commit === null ? outcome : `${outcome} as ${commit}`;
  return `${name} (${phase}) ${done}: ${result}`;
}

/** The reasons that keep a pull request a draft. */
export const toLookAt = (summary: Pick<Summary, "tasks" | "repairs">): string[] =>
  block(
    findingsOf(summary, "finding"),
    ({ id, finding }) => `${id} please look at: ${plainFinding(finding)}`,
  );

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
