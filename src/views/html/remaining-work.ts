import { counted } from "../../text/figures.ts";
import { redGateFacts, ungatedFacts } from "../summary/gate-facts.ts";
import { taskRanges } from "../summary/task-ranges.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import { newlyPassed, type ReportModel, type TaskReport, unfinishedTasks } from "./report-model.ts";

const maxWarnings = 20;

/** Facts that a reader must know: open tasks, unproved criteria, red gates, warnings. */
export function renderRemainingWork(model: ReportModel): Html | undefined {
  const lines = [
    ...leftOut(model),
    ...openTasks(model),
    ...judgedCriteria(model),
    ...gates(model),
    ...warnings(model),
  ];
  if (lines.length === 0) return undefined;
  return html`
    <section aria-labelledby="missing"><h2 id="missing">What is missing</h2>
    <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

function leftOut({ summary }: ReportModel): Content[] {
  return summary.left_out.map(
    ({ id, because, title }) => html`${id} (${isolate(because, 200)}): ${isolate(title, 200)}`,
  );
}

function openTasks(model: ReportModel): Content[] {
  const shown = new Set<TaskReport>(unfinishedTasks(model));
  const open = model.tasks.filter((task) => task.summary.state !== "passed" && !shown.has(task));
  return [...Map.groupBy(open, ({ state }) => state)].map(
    ([state, tasks]) => `${namesOf(tasks)}: ${state}`,
  );
}

function judgedCriteria(model: ReportModel): Content[] {
  const judged = newlyPassed(model).filter(({ summary }) => summary.criteria_count.judged > 0);
  if (judged.length === 0) return [];
  const count = judged.reduce((sum, { summary }) => sum + summary.criteria_count.judged, 0);
  const criteria = count === 1 ? "1 criterion was" : `${count} criteria were`;
  return [`${namesOf(judged)}: ${criteria} left to the review and not proved by execution`];
}

function gates({ summary }: ReportModel): Content[] {
  const idsOf = (tasks: readonly { id: string }[]) => taskRanges(tasks.map(({ id }) => id));
  return [
    ...ungatedFacts(summary).map(({ tasks, text }) => `${idsOf(tasks)}: passed, and ${text}`),
    ...redGateFacts(summary).map(({ tasks, text }) => `${idsOf(tasks)}: ${text}`),
  ];
}

function warnings({ summary }: ReportModel): Content[] {
  const more = summary.warnings.length - maxWarnings;
  return [
    ...summary.warnings
      .slice(0, maxWarnings)
      .map((text) => html`<span class="warn">Warning:</span> ${isolate(text, 400)}`),
    ...(more > 0 ? [`${counted(more, "more warning")}`] : []),
  ];
}

const namesOf = (tasks: readonly TaskReport[]) =>
  taskRanges(tasks.map(({ summary }) => summary.id));
