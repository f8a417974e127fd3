import { renderDuration, renderStamp } from "../../text/figures.ts";
import type { Axis } from "./axis.ts";
import type { Bar } from "./bars.ts";
import { renderKey, renderStrip } from "./chart.ts";
import { type Html, html } from "./html.ts";
import type { ReportModel } from "./report-model.ts";

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
  const ms = bars.reduce((sum, { from, to }) => sum + to - from, 0);
  return [
    html`
    <div class="plain"><div class="row"><h3>${name}</h3>
    <span class="when">${renderStrip(bars, axis)}</span>
    <span class="time">${renderDuration(ms)}</span><span class="cost"></span></div></div>`,
  ];
}
