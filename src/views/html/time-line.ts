import { renderDuration, renderStamp } from "../../text/figures.ts";
import type { Axis } from "./axis.ts";
import { renderSign, renderStrip } from "./chart.ts";
import { type Html, html } from "./html.ts";
import type { ReportModel } from "./report-model.ts";

/** What the bars mean. */
export function renderLegend(isGrouped: boolean): Html {
  const groups = html`
    <li>${renderSign("fine")}all tasks passed</li>
    <li>${renderSign("fault")}a task did not pass</li>`;
  return html`
    <ul class="key" aria-label="Key">
    ${isGrouped && groups}
    <li>${renderSign("work")}implementation</li>
    <li>${renderSign("test")}test writing</li>
    <li>${renderSign("gate")}gates</li>
    <li>${renderSign("review")}review</li>
    ${!isGrouped && html`<li>${renderSign("fault")}failed or rejected</li>`}
    </ul>`;
}

/** Where the axis of all bars begins and ends. */
export function renderAxis(axis: Axis): Html | undefined {
  if (axis.to === 0) return undefined;
  const [begin, end] = clocks(axis);
  const { breaks } = axis;
  const gaps = breaks.map((gap) => renderDuration(gap.to - gap.from)).slice(0, 5);
  return html`
    ${gaps.length > 0 && html`<p class="quiet">Breaks of ${gaps.join(", ")} are cut short.</p>`}
    <div class="row"><p class="axis when"><span>${begin}</span>
<span>${end} UTC</span></p></div>`;
}

/** With the day only where it is not the same, with seconds only where they tell something. */
function clocks({ from, to }: Axis): string[] {
  const stamps = [from, to].map((ms) => renderStamp(new Date(ms).toISOString()));
  const days = new Set(stamps.map((stamp) => stamp.slice(0, 10)));
  const end = to - from < 600_000 ? 19 : 16;
  return stamps.map((stamp) => stamp.slice(days.size > 1 ? 5 : 11, end));
}

/** What was done for no task. */
export function renderOwnBars({ bars, axis }: ReportModel): Html | undefined {
  if (bars.length === 0) return undefined;
  const ms = bars.reduce((sum, { from, to }) => sum + to - from, 0);
  return html`
    <div class="plain"><div class="row"><h3>Setup, gates on the start commit, waiting</h3>
    <span class="when">${renderStrip(bars, axis)}</span>
    <span class="time">${renderDuration(ms)}</span><span class="cost"></span></div></div>`;
}
