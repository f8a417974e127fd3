import type { SessionState } from "../../core/state/session-state.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { renderCost, renderDuration } from "../../text/figures.ts";
import { lookLines, proofSentence } from "./findings.ts";
import { ifUngated } from "./gate-facts.ts";
import {
  costTable,
  criteriaTable,
  gateTable,
  resultOf,
  startedTasks,
  tableLines,
  taskTable,
  unfinishedLines,
} from "./report-parts.ts";
import { type Summary, summarize, type TaskSummary } from "./summary.ts";
import { verificationLines } from "./verification-lines.ts";

/** A session's report as Markdown: outcome, tasks, proofs, gates, unfinished tasks, the next step. */
export function renderReport(state: SessionState): string {
  const summary = summarize(state);
  const parts = [
    outcome(summary),
    section("Please look at", lookLines(summary)),
    section("Tasks", taskTable(summary)),
    section("Agents", costTable(summary)),
    startedTasks(summary).map((task) => proofs(task, summary)),
    section("The program as it runs", verificationLines(summary)),
    section("What stopped", unfinishedLines(summary)),
    section("Next", [summary.next]),
  ];
  return `${parts.flat().join("\n\n")}\n`;
}

function section(title: string, lines: readonly string[] = []): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.join("\n")];
}

function outcome(summary: Summary): string {
  const { status, message, session_id, tasks_completed, tasks_total, iterations } = summary;
  const rows = [
    ["Tasks passed", `${tasks_completed} of ${tasks_total}`],
    ["Iterations", String(iterations)],
    ["Time", renderDuration(summary.duration_ms)],
    ["Cost", renderCost(summary.cost_usd ?? undefined)],
    ["Branch", `${codeSpan(summary.branch)} at ${codeSpan(summary.head)}`],
  ];
  const label = status.replaceAll("_", " ");
  const remark = ifUngated(summary, (note) => ` **But ${note}.**`);
  return [
    `# Session ${session_id}: ${label}`,
    `**${label}**: ${escapeMarkdown(message)}${remark}`,
    tableLines(["", ""], rows).join("\n"),
  ].join("\n\n");
}

function proofs(task: TaskSummary, summary: Summary): string {
  return [
    `## ${task.id}: ${escapeMarkdown(task.title)}`,
    `Result: ${resultOf(task, summary)}.`,
    criteriaTable(task).join("\n"),
    gateTable(task)?.join("\n") ?? "No gate ran.",
    ...(task.proof ? [proofSentence(task.proof)] : []),
  ].join("\n\n");
}
