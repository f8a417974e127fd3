import { codeSpan, escapeTableCell } from "../../text/escape-markdown.ts";
import { counted, renderCost } from "../../text/figures.ts";
import { type TableLines, tableLines } from "./report-parts.ts";
import type { Summary } from "./summary.ts";
import type { RepairSummary } from "./summary-repairs.ts";

type Repairs = Pick<Summary, "repairs">;

const outcomes: Record<RepairSummary["outcome"], string> = {
  kept: "kept",
  unchanged: "changed nothing",
  broke: "taken back",
};

/** How many repairs agents made and what nobody judged about them; undefined without one. */
export function repairSentence({ repairs }: Repairs): string | undefined {
  if (repairs.length === 0) return undefined;
  const kept = repairs.filter(({ outcome }) => outcome === "kept").length;
  const calls = repairs.reduce((sum, repair) => sum + callCount(repair), 0);
  const made = `Agents made ${counted(repairs.length, "repair")} after the last task in ${counted(calls, "call")}, ${costOf(repairs)}; ${kept} kept.`;
  if (kept === 0) return made;
  return `${made} On each that was kept, the full gates and every criterion that ralph can check held again. No reviewer has seen it, and criteria that only a reviewer can judge were not judged again.`;
}

const callCount = ({ calls }: RepairSummary) =>
  Object.values(calls).reduce((sum, count) => sum + count, 0);

function costOf(repairs: readonly RepairSummary[]): string {
  const known = repairs.flatMap(({ cost_usd }) => cost_usd ?? []);
  if (known.length === 0) return "cost unknown";
  return renderCost(known.reduce((sum, usd) => sum + usd, 0));
}

/** The cells of each repair, as plain text. */
export const repairCells = ({ repairs }: Repairs): string[][] =>
  repairs.map((repair) => [
    repair.what,
    `${outcomes[repair.outcome]}: ${repair.result.slice(0, 300)}`,
    repair.files.slice(0, 5).join(", ") || "-",
    callsOf(repair),
    repair.cost_usd === null ? "-" : renderCost(repair.cost_usd),
    repair.commit ?? "-",
  ]);

export const repairHead = ["What failed", "Outcome", "Files", "Calls", "Cost", "Commit"];

const callsOf = ({ calls }: RepairSummary) =>
  Object.entries(calls)
    .map(([role, count]) => (count === 1 ? role : `${role} (${count})`))
    .join(", ");

/** One row per repair; undefined without one. */
export function repairTable(summary: Repairs): TableLines | undefined {
  if (summary.repairs.length === 0) return undefined;
  const rows = repairCells(summary).map((cells) => {
    const commit = cells.at(-1) ?? "-";
    const shown = cells.slice(0, -1).map(escapeTableCell);
    return [...shown, commit === "-" ? commit : codeSpan(commit)];
  });
  return tableLines(repairHead, rows);
}
