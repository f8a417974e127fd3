import { renderCost, renderDuration } from "../../text/figures.ts";
import { ifUngated } from "../summary/gate-facts.ts";
import { shownTaskState, startedTasks, tableLines } from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { type GateSummary, isGreen } from "../summary/summary-proof.ts";
import { metricsMarker } from "./pull-marker.ts";

/** The data of the metrics comment. */
export interface Metrics {
  summary: Summary;
  run: string;
  /** Null or absent: no limit. */
  budgetUsd?: number | null | undefined;
  runUrl?: string | undefined;
}

/** The one comment of a run that is kept up to date: figures only, no text of agents or users. */
export function renderMetricsComment(metrics: Metrics): string {
  const { summary, run, runUrl } = metrics;
  const link = runUrl && isPlainAddress(runUrl) ? [`[The run](${runUrl})`] : [];
  return `${[
    metricsMarker(run),
    `**ralph**: ${summary.status.replaceAll("_", " ")}${ifUngated(summary, (note) => `, but ${note}`)}`,
    tableLines(["", ""], rowsOf(metrics)).join("\n"),
    ...link,
  ].join("\n\n")}\n`;
}

const isPlainAddress = (url: string) => /^https?:\/\/[\w.:-]+(?:\/[\w./?=&#-]*)?$/.test(url);

function rowsOf({ summary, budgetUsd = null }: Metrics): string[][] {
  const { tasks, tasks_completed, tasks_total, iterations, duration_ms, cost_usd } = summary;
  const isOver = summary.stop_reason !== null;
  const states = tasks.map((task) => shownTaskState(task, isOver));
  const count = (wanted: string) => states.filter((state) => state === wanted).length;
  const others = ["failed", "blocked", "running", "interrupted", "pending"]
    .filter((state) => count(state) > 0)
    .map((state) => `${count(state)} ${state}`);
  const gates = startedTasks(summary).flatMap((task) => task.gates);
  const red = gates.filter((gate) => !isGreen(gate)).length;
  const passed = gates.filter(({ status }) => status === "passed").length;
  const spent = cost_usd === null ? "unknown" : renderCost(cost_usd);
  return [
    ["Tasks", [`${tasks_completed} of ${tasks_total} passed`, ...others].join(", ")],
    ["Iterations", String(iterations)],
    ["Duration", renderDuration(duration_ms)],
    ["Gates", [`${passed} passed, ${red} failed`, ...skippedOf(gates)].join(", ")],
    ["Cost", spent],
    ["Budget", budgetUsd === null ? "no limit" : budgetLine(budgetUsd, cost_usd)],
  ];
}

const skippedOf = (gates: readonly GateSummary[]) => {
  const count = gates.filter(({ status }) => status === "skipped").length;
  return count === 0 ? [] : [`${count} skipped`];
};

function budgetLine(budget: number, spent: number | null): string {
  if (spent === null || budget === 0) return renderCost(budget);
  return `${renderCost(budget)}, ${Math.round((spent / budget) * 100)} % used`;
}
