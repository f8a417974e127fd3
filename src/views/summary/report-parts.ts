import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { orDash, renderCost, renderDuration, renderTokens } from "../../text/figures.ts";
import { proofSentence } from "./findings.ts";
import { renderCriteria } from "./proof.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import type { ModelUsage } from "./summary-calls.ts";
import { type CriterionSummary, isGreen } from "./summary-proof.ts";
import { usagesOf } from "./totals.ts";

/** A Markdown table as its lines; the first two are its head. */
export type TableLines = readonly string[];

export function tableLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): TableLines {
  return [renderRow(head), renderRow(head.map(() => "---")), ...rows.map(renderRow)];
}

const renderRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** The state of a task for people; one that still ran when its session ended was interrupted. */
export function shownTaskState({ passed_before, state }: TaskSummary, isOver: boolean): string {
  if (passed_before) return "passed before";
  return isOver && state === "running" ? "interrupted" : state;
}

/** State, iterations, time and cost of a task. */
export const taskCells = (task: TaskSummary, isOver: boolean): string[] => [
  shownTaskState(task, isOver),
  String(task.iterations),
  orDash(task.duration_ms, renderDuration),
  orDash(task.cost_usd, renderCost),
];

/** One row per task. */
export function taskTable({ tasks, stop_reason }: Summary): TableLines {
  const head = ["Task", "Title", "State", "Iterations", "Time", "Cost", "Commit"];
  const rows = tasks.map((task) => [
    ...[task.id, escapeTableCell(task.title)],
    ...taskCells(task, stop_reason !== null),
    orDash(task.commit, codeSpan),
  ]);
  return tableLines(head, rows);
}

/** Cost by role, and by model where the calls are known; undefined before the first call. */
export function costTable(summary: Summary): TableLines | undefined {
  const uses = modelUsages(summary);
  if (uses.length === 0) return undefined;
  const models = summary.usage_by_model ? ["Model"] : [];
  const rows = uses.map((use) => [
    use.role.replaceAll("_", " "),
    ...models.map(() => codeSpan(`${use.driver} ${use.model ?? "(default)"}`)),
    String(use.calls),
    orDash(use.turns),
    renderTokens(use),
    renderCost(use.cost_usd),
  ]);
  return tableLines(["Role", ...models, "Calls", "Turns", "Tokens", "Cost"], rows);
}

/** Usage by role and model; by role alone where the calls are unknown. */
export const modelUsages = ({ usage_by_model, usage_by_role }: Summary): readonly ModelUsage[] =>
  usage_by_model ??
  usagesOf(usage_by_role).map(({ role, usage }) => ({ ...usage, role, driver: "", model: null }));

type ShowVerdict = (criterion: CriterionSummary, task: TaskSummary) => string;

/** The criteria of a task with their verdicts and proofs; `show` renders the column `title`. */
export function criteriaTable(
  task: TaskSummary,
  title = "Verdict",
  show: ShowVerdict = verdictOf,
): TableLines {
  const rows = task.criteria.map((each) => [
    ...[String(each.number), escapeTableCell(each.text), show(each, task), proofOf(each)],
  ]);
  return tableLines(["", "Criterion", title, "Proof"], rows);
}

const approved = "approved by the reviewer";

function verdictOf({ verdict }: CriterionSummary, { state }: TaskSummary): string {
  if (verdict === "to_judge" && state === "passed") return approved;
  return verdict === null ? "not checked" : verdicts[verdict];
}

const verdicts: Record<NonNullable<CriterionSummary["verdict"]>, string> = {
  proved: "proved",
  held: "held before the task",
  failed: "failed",
  to_judge: "for the review",
};

function proofOf({ detail, evidence }: CriterionSummary): string {
  const known = detail === "for the reviewer" ? "" : escapeTableCell(detail);
  const where = evidence === null ? "" : `(evidence ${codeSpan(evidence.slice(0, 12))})`;
  return [known, where].filter(Boolean).join(" ");
}

/** A task's gates against the start commit; undefined when none ran on its newest tree. */
export function gateTable({ gates }: TaskSummary): TableLines | undefined {
  if (gates.length === 0) return undefined;
  const rows = gates.map((each) => [
    codeSpan(each.gate),
    each.status.replaceAll("_", " "),
    orDash(each.baseline, (status) => status.replaceAll("_", " ")),
    isGreen(each) ? "-" : String(each.new_failures ?? "unknown"),
    renderDuration(each.duration_ms),
  ]);
  return tableLines(["Gate", "Result", "On the start commit", "New failures", "Time"], rows);
}

/** `passed, criteria proved 2/3, 1 for the review`. */
export function resultOf(task: TaskSummary, { stop_reason }: Summary): string {
  const { criteria_count: count } = task;
  const judged = task.state === "passed" ? approved : "for the review";
  const criteria = count.total === 0 ? "no criterion checked" : renderCriteria(count, judged);
  return `${shownTaskState(task, stop_reason !== null)}, ${criteria}`;
}

/** The tasks that did not pass and why, one bullet each; skipped tasks come first. */
export function unfinishedLines({ tasks, left_out, stop_reason }: Summary): string[] {
  const leftOut = left_out.map(
    ({ id, title, because }) => `- ${id} (${escapeMarkdown(because)}): ${escapeMarkdown(title)}`,
  );
  const stopped = tasks.flatMap((task) => {
    const { id, message, kept } = task;
    const where = kept ? ` (its work is kept as tree \`${kept}\`)` : "";
    const state = shownTaskState(task, stop_reason !== null);
    return message ? [`- ${id} (${state}): ${escapeMarkdown(message)}${where}`] : [];
  });
  return [...leftOut, ...stopped];
}

/** Tasks that started in this session: only they have results. */
export const startedTasks = ({ tasks }: Summary) =>
  tasks.filter(({ duration_ms, passed_before }) => duration_ms !== null && !passed_before);

/** A folded block for each started task. Its HTML holds only ids and fixed text, nothing an agent or user wrote. */
export const foldedTasks = (summary: Summary, blocksOf: (task: TaskSummary) => string[]) =>
  startedTasks(summary).map((task) =>
    [
      `<details><summary>${task.id}: ${resultOf(task, summary)}</summary>`,
      `**${task.id}**: ${escapeMarkdown(task.title)}`,
      ...blocksOf(task),
      ...(task.proof ? [proofSentence(task.proof)] : []),
      "</details>",
    ].join("\n\n"),
  );
