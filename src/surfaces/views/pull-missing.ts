import { counted } from "../../run/counted.ts";
import { inertText } from "../inert-text.ts";
import { plainLine } from "../plain-text.ts";
import type { CleanRoom } from "./pull-proof.ts";
import { troubleLines, workedTasks } from "./report-parts.ts";
import type { Summary } from "./summary.ts";
import { isGreen } from "./summary-proof.ts";
import { stateOf } from "./summary-text.ts";

/** What nobody should have to find out after the merge: undone tasks, unproved criteria, red gates, warnings. */
export function missingLines(summary: Summary, room: CleanRoom): string[] {
  return [
    ...(room?.problems ?? []).map((text) => `- Clean room: ${inertText(plainLine(text, 500))}`),
    ...(room?.kind === "refuted" ? refutedLines(room) : []),
    ...troubleLines(summary),
    ...openTasks(summary),
    ...judgedLines(summary),
    ...redGateLines(summary),
    ...summary.warnings.map((text) => `- Warning: ${inertText(text)}`),
  ];
}

function refutedLines({ gates, criteria }: NonNullable<CleanRoom>): string[] {
  const red = [
    ...gates.filter(({ ok }) => !ok).map(({ name }) => `gate ${inertText(plainLine(name, 60))}`),
    ...criteria.filter(({ ok }) => !ok).map(({ task, index }) => `${task} criterion ${index}`),
  ];
  return red.map((what) => `- Clean room: ${what} does not hold`);
}

/** Those that say why are told by `troubleLines`. */
function openTasks({ tasks, stop_reason }: Summary): string[] {
  return tasks
    .filter(({ state, message }) => state !== "passed" && message === null)
    .map((task) => `- ${task.id} (${stateOf(task, stop_reason !== null)}): not done`);
}

function judgedLines(summary: Summary): string[] {
  return workedTasks(summary)
    .filter(({ state, criteria_count }) => state === "passed" && criteria_count.judged > 0)
    .map(({ id, criteria_count: { judged } }) => {
      const words = judged === 1 ? "1 criterion was" : `${judged} criteria were`;
      return `- ${id}: ${words} left to the review, nothing executed shows that it holds`;
    });
}

function redGateLines(summary: Summary): string[] {
  const passed = workedTasks(summary).filter(({ state }) => state === "passed");
  return passed.flatMap(({ id, gates }) => {
    const red = gates.filter((gate) => !isGreen(gate));
    if (red.length === 0) return [];
    return [`- ${id}: ${counted(red.length, "gate")} red, accepted as on the start commit`];
  });
}
