import { type Axis, createAxis } from "./axis.ts";
import { bytesOf, fitPieces } from "./fit.ts";
import { type Html, html } from "./html.ts";
import { isPassed, type ReportModel, type TaskReport } from "./report-model.ts";
import { renderDots, renderGroup } from "./task-groups.ts";
import { renderInside } from "./task-inside.ts";
import { renderRow, renderTaskItem } from "./task-row.ts";
import { renderAxis, renderLegend, renderOwnBars } from "./time-line.ts";

/** More lines than this are put into groups. */
export const maxLines = 60;
const groupSize = 50;

/** Every task as a line on a common axis of time; details as far as there is room, what went wrong first. */
export function renderTaskList(story: ReportModel, maxBytes: number): Html {
  const drawn = drawGroups(story, maxBytes);
  const isGrouped = drawn.length > 1;
  const rows = drawn.flatMap((group) => group.rows);
  const used = rows.reduce((sum, row) => sum + bytesOf(row), 0);
  const insides = fitInsides(drawn, maxBytes - used);
  const lists = drawn.map((group) => {
    const list = group.tasks.map((task, at) => {
      const row = group.rows[at];
      return row && renderTaskItem(task, row, insides.get(task));
    });
    return isGrouped ? renderGroup({ ...group, list }, story.axis) : html`${list}`;
  });
  return html`
    <section aria-labelledby="tasks"><h2 id="tasks">Tasks</h2>
    ${isGrouped && renderDots(story.tasks)}
    ${story.axis.to > 0 && renderLegend(isGrouped)}
    ${renderAxis(story.axis)}
    ${renderOwnBars(story)}
    ${drawn.length > 0 ? lists : html`<p>No task was chosen for this session.</p>`}
    ${noteOf(story.tasks.length - insides.size)}
    </section>`;
}

type Drawn = { tasks: readonly TaskReport[]; axis: Axis; rows: readonly Html[] };

/** A long list in groups, each with an axis of its own; lines stop where there is no room for more. */
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
  return html`<p class="quiet">The details of ${left} tasks have no room here; <code>ralph report</code> tells them.</p>`;
}
