import { renderCost, renderDuration } from "../../text/figures.ts";
import type { Axis } from "./axis.ts";
import { renderShare, renderStrip } from "./chart.ts";
import { type Html, html } from "./html.ts";
import { isolate, renderTaskStatus } from "./labels.ts";
import type { TaskReport } from "./report-model.ts";

export type RowContext = {
  axis: Axis;
  /** What the dearest task has cost. */
  mostUsd: number;
  /** Tasks stand below a heading of their group. */
  isGrouped: boolean;
};

/** A task in one line: how it stands, when it was worked on, how long, for how much. */
export function renderRow(task: TaskReport, { axis, mostUsd, isGrouped }: RowContext): Html {
  const { id, title, duration_ms, cost_usd } = task.summary;
  const name = html`<b>${id}</b> ${renderTaskStatus(task.state)} ${isolate(title, 120)}`;
  return html`
    ${isGrouped ? html`<h4>${name}</h4>` : html`<h3>${name}</h3>`}
    <span class="when">${task.bars.length > 0 && renderStrip(task.bars, axis, isGrouped ? 25 : 200)}</span>
    <span class="time">${duration_ms === null ? "" : renderDuration(duration_ms)}</span>
    <span class="cost">${costOf(task)}${renderShare(cost_usd ?? 0, mostUsd)}</span>`;
}

/** What was not begun has no cost; what was, may have an unknown one. */
function costOf({ bars, summary }: TaskReport): string {
  return bars.length === 0 && summary.cost_usd === null
    ? ""
    : renderCost(summary.cost_usd ?? undefined);
}

/** With what is inside it folds; without it is only a line. */
export function renderTaskItem(
  { summary: { id } }: TaskReport,
  row: Html,
  inside: Html | undefined,
): Html {
  if (!inside) return html`<div class="plain" id="${id}"><div class="row">${row}</div></div>`;
  return html`
    <details class="task" id="${id}"><summary class="row">${row}</summary>
    <div class="inside">${inside}</div></details>`;
}
