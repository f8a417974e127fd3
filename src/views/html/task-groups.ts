import { counted, renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { type Axis, lengthOf } from "./axis.ts";
import type { Bar } from "./bars.ts";
import { renderKey, renderStretches, renderStrip, wholeOf } from "./chart.ts";
import { type Content, type Html, html } from "./html.ts";
import { markOf, toneOf } from "./labels.ts";
import { isPassed, type ReportModel, type TaskReport } from "./report-model.ts";

type Group = { tasks: readonly TaskReport[]; list: readonly Content[]; axis: Axis };

/** Many tasks in one line, which unfolds to a line for each. */
export function renderGroup({ tasks, list, axis }: Group, whole: Axis): Html {
  const [first, last] = [tasks.at(0)?.summary.id, tasks.at(-1)?.summary.id];
  const costs = tasks.flatMap(({ summary }) => summary.cost_usd ?? []);
  const cost = costs.reduce((sum, usd) => sum + usd, 0);
  return html`
    <details class="group"><summary class="row">
    <h3><b>${first} to ${last}</b> ${renderCounts(tasks)}</h3>
    <span class="when">${renderStretches(tasks.flatMap(stretchOf), whole)}</span>
    <span class="time">${axis.to > axis.from && renderDuration(axis.to - axis.from)}</span>
    <span class="cost">${costs.length > 0 && renderCost(cost)}</span>
    </summary><div class="inside">${list}</div></details>`;
}

function stretchOf({ bars, state }: TaskReport) {
  return bars.length > 0 ? [{ ...wholeOf(bars), name: stretchName(state) }] : [];
}

function stretchName(state: TaskReport["state"]): "fine" | "fault" | "open" {
  if (isPassed(state)) return "fine";
  return state === "failed" || state === "blocked" ? "fault" : "open";
}

/** `48 passed, 1 failed`, each with its mark. */
function renderCounts(tasks: readonly TaskReport[]): Html {
  const groups = [...Map.groupBy(tasks, ({ state }) => state)];
  return html`${groups.map(
    ([state, { length }], at) =>
      html`${at > 0 && ", "}<span class="${toneOf(state)}">${markOf(state)} ${length} ${state}</span>`,
  )}`;
}

/** A mark for every task, in order, so that failures are visible at a glance. */
export function renderDots(tasks: readonly TaskReport[]): Html {
  const runs: { state: TaskReport["state"]; count: number }[] = [];
  for (const { state } of tasks) {
    const last = runs.at(-1);
    if (last?.state === state) last.count += 1;
    else runs.push({ state, count: 1 });
  }
  return html`
    <p>${counted(tasks.length, "task")}: ${renderCounts(tasks)}. One mark for each, in order:</p>
    <p class="dots" aria-hidden="true">${runs.map(
      ({ state, count }) =>
        html`<span class="${toneOf(state)}">${markOf(state).repeat(count)}</span>`,
    )}</p>`;
}

/** The legend of the bars. */
export function renderLegend(isGrouped: boolean): Html {
  const groups = html`
    <li>${renderKey("fine")}all tasks passed</li>
    <li>${renderKey("fault")}a task did not pass</li>`;
  return html`
    <ul class="key" aria-label="Key">
    ${isGrouped && groups}
    <li>${renderKey("work")}implementation</li>
    <li>${renderKey("test")}test writing</li>
    <li>${renderKey("gate")}gates</li>
    <li>${renderKey("review")}review</li>
    ${!isGrouped && html`<li>${renderKey("fault")}failed or rejected</li>`}
    </ul>`;
}

/** The times at both ends of the axis. */
export function renderAxis(axis: Axis): Html | undefined {
  if (axis.to === 0) return undefined;
  const [begin, end] = clocks(axis);
  const { breaks } = axis;
  const gaps = breaks.map((gap) => renderDuration(gap.to - gap.from)).slice(0, 5);
  return html`
    ${gaps.length > 0 && html`<p class="quiet">Breaks of ${gaps.join(", ")} are shortened.</p>`}
    <div class="row"><p class="axis when"><span>${begin}</span>
<span>${end} UTC</span></p></div>`;
}

/** The day only if it differs, the seconds only for short spans. */
function clocks({ from, to }: Axis): string[] {
  const stamps = [from, to].map((ms) => renderStamp(new Date(ms).toISOString()));
  const days = new Set(stamps.map((stamp) => stamp.slice(0, 10)));
  const end = to - from < 600_000 ? 19 : 16;
  return stamps.map((stamp) => stamp.slice(days.size > 1 ? 5 : 11, end));
}

/** The activities of no task; only repairs call agents. */
export function renderOwnBars({ bars, axis }: ReportModel): Html[] {
  const isCall = ({ tone }: Bar) => tone !== "gate";
  const others = bars.filter((bar) => !isCall(bar));
  return [
    ...renderRow("Setup, gates on the start commit, waiting", others, axis),
    ...renderRow("Repairs after the last task", bars.filter(isCall), axis),
  ];
}

function renderRow(name: string, bars: readonly Bar[], axis: Axis): Html[] {
  if (bars.length === 0) return [];
  return [
    html`
    <div class="plain"><div class="row"><h3>${name}</h3>
    <span class="when">${renderStrip(bars, axis)}</span>
    <span class="time">${renderDuration(lengthOf(bars))}</span><span class="cost"></span></div></div>`,
  ];
}
