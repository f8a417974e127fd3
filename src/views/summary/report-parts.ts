import { codeSpan, escapeMarkdown, escapeTableCell } from "../../text/escape-markdown.ts";
import { renderCost, renderDuration, renderTokens } from "../../text/figures.ts";
import { renderCriteria } from "./proof.ts";
import type { Summary, TaskSummary } from "./summary.ts";
import type { ModelUsage } from "./summary-calls.ts";
import type { CriterionSummary, GateSummary } from "./summary-proof.ts";
import { shownTaskState } from "./summary-text.ts";
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

/** One row per task. */
export function taskTable({ tasks, stop_reason }: Summary): TableLines {
  const head = ["Task", "Title", "State", "Iterations", "Time", "Cost", "Commit"];
  const rows = tasks.map((task) => [
    task.id,
    escapeTableCell(task.title),
    shownTaskState(task, stop_reason !== null),
    String(task.iterations),
    task.duration_ms === null ? "-" : renderDuration(task.duration_ms),
    task.cost_usd === null ? "-" : renderCost(task.cost_usd),
    task.commit ? codeSpan(task.commit) : "-",
  ]);
  return tableLines(head, rows);
}

/** Cost by role, and by model where the calls are known; undefined before the first call. */
export function costTable({ usage_by_model, usage_by_role }: Summary): TableLines | undefined {
  const uses = modelUsages({ usage_by_model, usage_by_role });
  if (uses.length === 0) return undefined;
  const models = usage_by_model ? ["Model"] : [];
  const rows = uses.map((use) => [
    use.role.replaceAll("_", " "),
    ...models.map(() => codeSpan(`${use.driver} ${use.model ?? "(default)"}`)),
    String(use.calls),
    use.turns === undefined ? "-" : String(use.turns),
    renderTokens(use),
    renderCost(use.cost_usd),
  ]);
  return tableLines(["Role", ...models, "Calls", "Turns", "Tokens", "Cost"], rows);
}

/** Usage by role and model; by role alone where the calls are unknown. */
export const modelUsages = ({
  usage_by_model,
  usage_by_role,
}: Pick<Summary, "usage_by_model" | "usage_by_role">): readonly ModelUsage[] =>
  usage_by_model ??
  usagesOf(usage_by_role).map(({ role, usage }) => ({ ...usage, role, driver: "", model: null }));

/** The criteria of a task with their verdicts and proofs. */
export function criteriaTable({ criteria, state }: TaskSummary): TableLines {
  const isApproved = state === "passed";
  const rows = criteria.map((each) => [
    String(each.number),
    escapeTableCell(each.text),
    each.verdict === "to_judge" && isApproved ? approved : verdictOf(each),
    proofOf(each),
  ]);
  return tableLines(["", "Criterion", "Verdict", "Proof"], rows);
}

const approved = "approved by the reviewer";

const verdictOf = ({ verdict }: CriterionSummary) =>
  verdict === null ? "not checked" : verdicts[verdict];

const verdicts: Record<NonNullable<CriterionSummary["verdict"]>, string> = {
  proved: "proved",
  held: "held before the task",
  failed: "failed",
  to_judge: "for the review",
};

/** The proof of a criterion as a table cell. */
export function proofOf({ detail, evidence }: CriterionSummary): string {
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
    each.baseline === null ? "-" : each.baseline.replaceAll("_", " "),
    newFailures(each),
    renderDuration(each.duration_ms),
  ]);
  return tableLines(["Gate", "Result", "On the start commit", "New failures", "Time"], rows);
}

const newFailures = ({ status, new_failures }: GateSummary) =>
  status === "passed" || status === "skipped" ? "-" : String(new_failures ?? "unknown");

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
