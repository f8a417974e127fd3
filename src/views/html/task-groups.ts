import { counted, renderCost, renderDuration } from "../../text/figures.ts";
import type { Axis } from "./axis.ts";
import { renderStretches, wholeOf } from "./chart.ts";
import { type Content, type Html, html } from "./html.ts";
import { markOf, toneOf } from "./labels.ts";
import { isPassed, type TaskReport } from "./report-model.ts";

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
