import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { proofGaps, rangesOf } from "../summary/gate-facts.ts";
import { shownTaskState, unfinishedLines } from "../summary/report-parts.ts";
import type { Summary } from "../summary/summary.ts";
import { type CleanRoom, placeName } from "./pull-proof.ts";

/** Facts that a reviewer must know before a merge: open tasks, unproved criteria, red gates, warnings. */
export function remainingWorkLines(summary: Summary, room: CleanRoom): string[] {
  return [
    ...(room ? foundLines(room) : []),
    ...unfinishedLines(summary),
    ...openTasks(summary),
    ...proofGaps(summary).map((gap) => `- ${gap}`),
    ...summary.warnings.map((text) => `- Warning: ${escapeMarkdown(text)}`),
  ];
}

function foundLines(room: NonNullable<CleanRoom>): string[] {
  const { kind, problems, gates, criteria, program } = room;
  const red = [
    ...gates
      .filter(({ ok }) => !ok)
      .map(({ name }) => `gate ${escapeMarkdown(plainLine(name, 60))}`),
    ...criteria.filter(({ ok }) => !ok).map(({ task, index }) => `${task} criterion ${index}`),
    ...(program?.red ?? []).map((name) => escapeMarkdown(plainLine(name, 200))),
  ];
  return [
    ...problems.map((text) => escapeMarkdown(plainLine(text, 500))),
    ...(kind === "refuted" ? red.map((name) => `${name} does not hold`) : []),
  ].map((line) => `- ${placeName(room)}: ${line}`);
}

/** Tasks without a message, one line for each state; `unfinishedLines` shows the others. */
function openTasks({ tasks, stop_reason }: Summary): string[] {
  const open = tasks.filter(({ state, message }) => state !== "passed" && message === null);
  const byState = Map.groupBy(open, (task) => shownTaskState(task, stop_reason !== null));
  return [...byState].map(([state, same]) => `- ${rangesOf(same)} (${state}): not done`);
}
