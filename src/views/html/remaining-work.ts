import { counted } from "../../text/figures.ts";
import { isGreen } from "../summary/summary-proof.ts";
import { taskRanges } from "../summary/task-ranges.ts";
import { type Content, type Html, html } from "./html.ts";
import { isolate } from "./labels.ts";
import { newlyPassed, type ReportModel, type TaskReport, unfinishedTasks } from "./report-model.ts";

const maxWarnings = 20;

/** What nobody should have to find out later: undone tasks, criteria nothing shows, red gates, warnings. */
export function renderRemainingWork(story: ReportModel): Html | undefined {
  const lines = [
    ...leftOut(story),
    ...openTasks(story),
    ...judgedCriteria(story),
    ...redGates(story),
    ...warnings(story),
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

function openTasks(story: ReportModel): Content[] {
  const told = new Set<TaskReport>(unfinishedTasks(story));
  const open = story.tasks.filter((task) => task.summary.state !== "passed" && !told.has(task));
  return [...Map.groupBy(open, ({ state }) => state)].map(
    ([state, tasks]) => `${namesOf(tasks)}: ${state}`,
  );
}

function judgedCriteria(story: ReportModel): Content[] {
  const judged = newlyPassed(story).filter(({ summary }) => summary.criteria_count.judged > 0);
  if (judged.length === 0) return [];
  const count = judged.reduce((sum, { summary }) => sum + summary.criteria_count.judged, 0);
  const words = count === 1 ? "1 criterion was" : `${count} criteria were`;
  return [`${namesOf(judged)}: ${words} left to the review; nothing that was executed shows it`];
}

function redGates(story: ReportModel): Content[] {
  const red = newlyPassed(story).filter(({ summary }) => !summary.gates.every(isGreen));
  if (red.length === 0) return [];
  return [`${namesOf(red)}: passed with a red gate, which was red on the start commit too`];
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
