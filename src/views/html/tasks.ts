import { renderCost, renderDuration } from "../../text/figures.ts";
import { type Axis, createAxis } from "./axis.ts";
import { renderShare, renderStrip } from "./chart.ts";
import { type Html, html, markupOf } from "./html.ts";
import { isolate, renderTaskStatus } from "./labels.ts";
import { isPassed, type ReportModel, type TaskReport } from "./report-model.ts";
import { renderAxis, renderDots, renderGroup, renderLegend, renderOwnBars } from "./task-groups.ts";
import { renderInside } from "./task-inside.ts";

/** Longer lists are split into groups. */
export const maxLines = 60;
const groupSize = 50;

/** Every task as a line on a common time axis; details as far as they fit, failures first. */
export function renderTaskList(model: ReportModel, maxBytes: number): Html {
  const drawn = drawGroups(model, maxBytes);
  const isGrouped = drawn.length > 1;
  const rows = drawn.flatMap((group) => group.rows);
  const used = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  const insides = fitInsides(drawn, maxBytes - used);
  const lists = drawn.map((group) => {
    const list = group.rows.map((row, at) => {
      const task = group.tasks[at];
      return task && renderTaskItem(task, row, insides.get(task));
    });
    return isGrouped ? renderGroup({ ...group, list }, model.axis) : html`${list}`;
  });
  return html`
    <section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>
    ${isGrouped && renderDots(model.tasks)}
    ${model.axis.to > 0 && renderLegend(isGrouped)}
    ${renderAxis(model.axis)}
    ${renderOwnBars(model)}
    ${drawn.length > 0 ? lists : html`<p>No task was chosen for this session.</p>`}
    ${noteOf(model.tasks.length - insides.size)}
    </section>`;
}

type Drawn = { tasks: readonly TaskReport[]; axis: Axis; rows: readonly Html[] };

/** A long list in groups, each with its own axis; groups that do not fit have no lines. */
function drawGroups({ tasks, axis: whole }: ReportModel, maxBytes: number): Drawn[] {
  const isGrouped = tasks.length > maxLines;
  const size = isGrouped ? groupSize : Math.max(1, tasks.length);
  const mostUsd = tasks.reduce((most, { summary }) => Math.max(most, summary.cost_usd ?? 0), 0);
  let left = maxBytes;
  return Array.from({ length: Math.ceil(tasks.length / size) }, (_, at) => {
    const group = tasks.slice(at * size, (at + 1) * size);
    const axis = isGrouped ? createAxis(group.flatMap(({ bars }) => bars)) : whole;
    const rows = group.map((task) => renderRow(task, { axis, mostUsd, isGrouped }));
    left -= rows.reduce((sum, row) => sum + bytesOf(row), 0);
    return { tasks: group, axis, rows: left > 0 ? rows : [] };
  });
}

function fitInsides(drawn: readonly Drawn[], room: number): Map<TaskReport, Html> {
  const pieces = drawn.flatMap(({ tasks, rows }) =>
    tasks.slice(0, rows.length).map((task) => ({
      key: task,
      rank: rankOf(task),
      render: () => renderInside(task),
    })),
  );
  return fitPieces(pieces, room);
}

function rankOf({ state, failures, bars }: TaskReport): number {
  if (!isPassed(state)) return bars.length > 0 ? 0 : 3;
  return failures.length > 0 ? 1 : 2;
}

function noteOf(left: number): Html | undefined {
  if (left === 0) return undefined;
  return html`<p class="quiet">The details of ${left} tasks do not fit here; see <code>ralph report</code>.</p>`;
}

/** A piece that may be left out. The lowest rank gets room first. */
type Piece<Key> = { key: Key; rank: number; render: () => Html };

function fitPieces<Key>(pieces: readonly Piece<Key>[], maxBytes: number): Map<Key, Html> {
  const fitted = new Map<Key, Html>();
  let left = maxBytes;
  let misses = 0;
  for (const { key, render } of pieces.toSorted((a, b) => a.rank - b.rank)) {
    // A later piece may be smaller, but not all of them need be tried.
    if (misses > 20) break;
    const piece = render();
    const bytes = bytesOf(piece);
    if (bytes > left) {
      misses += 1;
      continue;
    }
    left -= bytes;
    fitted.set(key, piece);
  }
  return fitted;
}

export const bytesOf = (piece: Html): number => Buffer.byteLength(markupOf(piece));

/** A task in one line: status, activities, duration and cost. `isGrouped`: groups have headings of their own. */
function renderRow(
  task: TaskReport,
  { axis, mostUsd, isGrouped }: { axis: Axis; mostUsd: number; isGrouped: boolean },
): Html {
  const { id, title, duration_ms, cost_usd } = task.summary;
  const name = html`<b>${id}</b> ${renderTaskStatus(task.state)} ${isolate(title, 120)}`;
  return html`
    ${isGrouped ? html`<h4>${name}</h4>` : html`<h3>${name}</h3>`}
    <span class="when">${task.bars.length > 0 && renderStrip(task.bars, axis, isGrouped ? 25 : 200)}</span>
    <span class="time">${duration_ms === null ? "" : renderDuration(duration_ms)}</span>
    <span class="cost">${costOf(task)}${renderShare(cost_usd ?? 0, mostUsd)}</span>`;
}

/** A task that never started has no cost; that of a started one may be unknown. */
function costOf({ bars, summary }: TaskReport): string {
  return bars.length === 0 && summary.cost_usd === null
    ? ""
    : renderCost(summary.cost_usd ?? undefined);
}

function renderTaskItem({ summary: { id } }: TaskReport, row: Html, inside: Html | undefined) {
  if (!inside) return html`<div class="plain" id="${id}"><div class="row">${row}</div></div>`;
  return html`
    <details class="task" id="${id}"><summary class="row">${row}</summary>
    <div class="inside">${inside}</div></details>`;
}
