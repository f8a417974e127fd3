import { selectedTasks } from "../../run/order.ts";
import type { Run, TaskRun } from "../../run/run.ts";
import { renderCost, renderDuration, renderTokens } from "../figures.ts";
import { inertCell, inertMarkdown } from "../inert-markdown.ts";
import { nextAction } from "../next-action.ts";
import { plainLine } from "../plain-text.ts";
import { countCriteria, gateResults, renderCriteria } from "../proof.ts";
import { usagesOf } from "../totals.ts";
import { type Summary, summarize, type TaskSummary } from "./summary.ts";

/** A session's report for people: outcome, tasks, proofs, gates, what stopped, what to do next. */
export function renderReport(run: Run): string {
  const summary = summarize(run);
  const worked = selectedTasks(run).filter(({ startedAt }) => startedAt !== undefined);
  const parts = [
    outcome(summary),
    taskTable(summary.tasks),
    ...roleTable(summary),
    ...worked.map(proofs),
    ...troubles(summary),
    `## Next\n\n${nextAction(summary.stop_reason)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function outcome(summary: Summary): string {
  const { status, message, session_id, tasks_completed, tasks_total, iterations, branch, head } =
    summary;
  const figures = [
    ["Tasks passed", `${tasks_completed} of ${tasks_total}`],
    ["Iterations", String(iterations)],
    ["Time", renderDuration(summary.duration_ms)],
    ["Cost", renderCost(summary.cost_usd ?? undefined)],
    ["Branch", `\`${branch}\` at \`${head}\``],
  ];
  const rows = figures.map((cells) => renderRow(cells));
  return [
    `# Session ${session_id}: ${status.replaceAll("_", " ")}`,
    inertMarkdown(message),
    ["| | |", "| --- | --- |", ...rows].join("\n"),
  ].join("\n\n");
}

function taskTable(tasks: readonly TaskSummary[]): string {
  const rows = tasks.map((task) => [
    task.id,
    inertCell(task.title),
    task.passed_before ? "passed before" : task.state,
    String(task.iterations),
    task.cost_usd === null ? "-" : renderCost(task.cost_usd),
    task.commit ?? "-",
  ]);
  const head = ["Task", "Title", "State", "Iterations", "Cost", "Commit"];
  return ["## Tasks", "", ...renderTable(head, rows)].join("\n");
}

/** What each role used: where the money went. */
function roleTable({ usage_by_role }: Summary): string[] {
  const rows = usagesOf(usage_by_role).map(({ role, usage }) => [
    role.replaceAll("_", " "),
    String(usage.calls),
    usage.turns === undefined ? "-" : String(usage.turns),
    renderTokens(usage),
    renderCost(usage.cost_usd),
  ]);
  if (rows.length === 0) return [];
  const head = ["Role", "Calls", "Turns", "Tokens", "Cost"];
  return [["## Agents", "", ...renderTable(head, rows)].join("\n")];
}

function renderTable(head: readonly string[], rows: readonly string[][]): string[] {
  return [renderRow(head), renderRow(head.map(() => "---")), ...rows.map(renderRow)];
}

const renderRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

function proofs(run: TaskRun): string {
  const { task, criteria } = run;
  const known = criteria?.results.map(({ number, text, verdict, detail }) => [
    String(number),
    inertCell(plainLine(text, 500)),
    verdicts[verdict],
    inertCell(plainLine(detail)),
  ]);
  const table = known
    ? renderTable(["", "Criterion", "Verdict", "Proof"], known)
    : ["No criterion was checked."];
  return [
    `## ${task.id}: ${inertMarkdown(plainLine(task.title))}`,
    `Result: ${run.state}, ${renderCriteria(countCriteria(run))}.`,
    table.join("\n"),
    gateList(run),
  ].join("\n\n");
}

const verdicts = {
  proved: "proved",
  held: "held before the task",
  failed: "failed",
  to_judge: "for the review",
};

function gateList(run: TaskRun): string {
  const gates = gateResults(run).map(
    ({ gate, status, ms }) =>
      `- \`${plainLine(gate, 60)}\`: ${status.replaceAll("_", " ")}, ${renderDuration(ms)}`,
  );
  return gates.length > 0 ? `Gates:\n\n${gates.join("\n")}` : "No gate ran.";
}

function troubles({ tasks }: Summary): string[] {
  const rows = tasks.flatMap(({ id, state, message, kept }) => {
    const where = kept ? ` Its work is kept as tree \`${kept}\`.` : "";
    return message ? [`- ${id} (${state}): ${inertMarkdown(message)}${where}`] : [];
  });
  return rows.length > 0 ? [`## What stopped\n\n${rows.join("\n")}`] : [];
}
