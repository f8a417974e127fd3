import { renderCost, renderDuration, renderTokens } from "../../text/figures.ts";
import { modelUsages } from "../summary/report-parts.ts";
import type { ModelUsage } from "../summary/summary-calls.ts";
import { lengthOf } from "./axis.ts";
import { renderShare } from "./chart.ts";
import { type Html, html } from "./html.ts";
import { cell, head, isolate, numCell, numHead, renderTable } from "./labels.ts";
import type { ReportModel } from "./report-model.ts";

const maxRows = 40;

/** Time and cost by role and model, then gates and waits. */
export function renderCosts(model: ReportModel): Html | undefined {
  const columns = [head("Step"), ...["Times", "Time", "Tokens", "Cost"].map(numHead)];
  const table = renderTable({ caption: "Time and money by step", head: columns }, [
    ...modelRows(model),
    ...otherRows(model),
  ]);
  if (!table) return undefined;
  return html`
    <section aria-labelledby="cost"><h2 id="cost">Time and money</h2>${table}</section>`;
}

function modelRows(model: ReportModel): Html[] {
  const uses = modelUsages(model.summary);
  const most = uses.reduce((max, { cost_usd = 0 }) => Math.max(max, cost_usd), 0);
  return uses.slice(0, maxRows).map((use) => {
    const program = [use.driver, use.model ?? "default model"].filter(Boolean).join(", ");
    return html`<tr>
      ${cell(html`${use.role.replaceAll("_", " ")}<br><span class="quiet">${isolate(program)}</span>`)}
      ${numCell(String(use.calls))}
      ${numCell(timeOf(model, use))}
      ${numCell(renderTokens(use))}
      ${numCell(html`${renderCost(use.cost_usd)}${renderShare(use.cost_usd ?? 0, most)}`)}</tr>`;
  });
}

function timeOf({ summary: { calls } }: ReportModel, { role, driver, model }: ModelUsage): string {
  const own = (calls ?? []).filter(
    (call) => call.role === role && call.driver === driver && call.model === model,
  );
  if (own.length === 0) return "-";
  const ms = own.reduce((sum, { started_at, ended_at }) => {
    return ended_at === null ? sum : sum + Date.parse(ended_at) - Date.parse(started_at);
  }, 0);
  return renderDuration(ms);
}

/** Gates and other activities without cost; the longest first. */
function otherRows({ tasks, bars }: ReportModel): Html[] {
  const all = [...bars, ...tasks.flatMap((task) => task.bars)].filter(
    ({ tone }) => tone === "gate",
  );
  return [...Map.groupBy(all, ({ lane }) => lane)]
    .map(([lane, group]) => ({ lane, count: group.length, ms: lengthOf(group) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, maxRows)
    .map(
      ({ lane, count, ms }) => html`<tr>
      ${cell(isolate(lane))}${numCell(String(count))}${numCell(renderDuration(ms))}
      ${numCell("-")}${numCell("-")}</tr>`,
    );
}
