import { counted } from "../../text/counted.ts";
import { codeSpan, escapeMarkdown } from "../../text/escape-markdown.ts";
import { renderCost, renderDuration } from "../../text/figures.ts";
import type { Outcome } from "../summary/outcome.ts";
import { criteriaTable, gateTable, resultOf, startedTasks } from "../summary/report-parts.ts";
import type { Summary, TaskSummary } from "../summary/summary.ts";

/** The first lines of a job summary: how it ended in one line, why, and the figures. */
export function outcomeLines(summary: Summary): string[] {
  const { status, exit_code, message } = summary;
  const words = status === "running" ? "not ended" : status.replaceAll("_", " ");
  const code = exit_code === null ? "" : ` (exit code ${exit_code})`;
  return [
    `## ${signOf(summary)} ralph: ${words}, ${counts(summary)}`,
    `**${words}**${code}: ${escapeMarkdown(message)}`,
    figures(summary),
  ];
}

/** Only a session in which a task passed, and none failed, is shown as good (never green for nothing). */
function signOf(summary: Summary): string {
  return signs[
    summary.status === "completed" && passedHere(summary) === 0 ? "nothing_to_do" : summary.status
  ];
}

const signs: Record<Outcome, string> = {
  running: "…",
  completed: "✓",
  nothing_to_do: "·",
  partial: "!",
  blocked: "✗",
  failed: "✗",
  aborted: "✗",
};

const passedHere = ({ tasks }: Summary) =>
  tasks.filter(({ state, passed_before }) => state === "passed" && !passed_before).length;

function counts(summary: Summary): string {
  const { tasks_completed, tasks_total } = summary;
  const here = passedHere(summary);
  const before = tasks_completed - here;
  const earlier = before > 0 ? ` (${before} before it)` : "";
  return `${here} of ${counted(tasks_total, "task")} passed in this session${earlier}`;
}

function figures(summary: Summary): string {
  const { iterations, duration_ms, cost_usd, session_id, branch, start, head, sandbox } = summary;
  const cost = cost_usd === null ? "cost unknown" : renderCost(cost_usd);
  const commits = start === head ? "no new commit" : `now at ${codeSpan(head)}`;
  return [
    [counted(iterations, "iteration"), renderDuration(duration_ms), cost].join(", "),
    `Branch ${codeSpan(branch)}, ${commits}`,
    `Session ${codeSpan(session_id)}, sandbox ${sandbox}.`,
  ].join(". ");
}

/** One folded block for each task that was begun: its criteria with their proofs, its gates. */
export function proofBlocks(summary: Summary): string[] {
  return startedTasks(summary).map((task) => proofBlock(task, summary));
}

// No text of anybody stands in the HTML itself: only ids and words of ours.
function proofBlock(task: TaskSummary, summary: Summary): string {
  return [
    `<details><summary>${task.id}: ${resultOf(task, summary)}</summary>`,
    `**${task.id}**: ${escapeMarkdown(task.title)}`,
    criteriaTable(task).join("\n"),
    gateTable(task)?.join("\n") ?? "No gate ran on its newest state.",
    "</details>",
  ].join("\n\n");
}
