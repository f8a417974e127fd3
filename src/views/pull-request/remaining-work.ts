import { escapeMarkdown } from "../../text/escape-markdown.ts";
import { plainLine } from "../../text/plain-text.ts";
import { redGateFacts, ungatedFacts } from "../summary/gate-facts.ts";
import { startedTasks, unfinishedLines } from "../summary/report-parts.ts";
import type { Summary, TaskSummary } from "../summary/summary.ts";
import { shownTaskState } from "../summary/summary-text.ts";
import { taskRanges } from "../summary/task-ranges.ts";
import type { CleanRoom } from "./pull-proof.ts";

/** Facts that a reviewer must know before a merge: open tasks, unproved criteria, red gates, warnings. */
export function remainingWorkLines(summary: Summary, room: CleanRoom): string[] {
  return [
    ...(room?.problems ?? []).map(
      (text) => `- Clean room: ${escapeMarkdown(plainLine(text, 500))}`,
    ),
    ...(room?.kind === "refuted" ? refutedLines(room) : []),
    ...unfinishedLines(summary),
    ...openTasks(summary),
    ...judgedLines(summary),
    ...gateLines(summary),
    ...summary.warnings.map((text) => `- Warning: ${escapeMarkdown(text)}`),
  ];
}

function refutedLines({ gates, criteria, program }: NonNullable<CleanRoom>): string[] {
  const red = [
    ...gates
      .filter(({ ok }) => !ok)
      .map(({ name }) => `gate ${escapeMarkdown(plainLine(name, 60))}`),
    ...criteria.filter(({ ok }) => !ok).map(({ task, index }) => `${task} criterion ${index}`),
    ...(program?.red ?? []).map((name) => escapeMarkdown(plainLine(name, 200))),
  ];
  return red.map((name) => `- Clean room: ${name} does not hold`);
}

/** Tasks without a message, one line for each state; `unfinishedLines` shows the others. */
function openTasks({ tasks, stop_reason }: Summary): string[] {
  const open = tasks.filter(({ state, message }) => state !== "passed" && message === null);
  const byState = Map.groupBy(open, (task) => shownTaskState(task, stop_reason !== null));
  return [...byState].map(([state, same]) => `- ${namesOf(same)} (${state}): not done`);
}

function judgedLines(summary: Summary): string[] {
  const judged = passedTasks(summary).filter(({ criteria_count }) => criteria_count.judged > 0);
  const count = judged.reduce((sum, { criteria_count }) => sum + criteria_count.judged, 0);
  if (count === 0) return [];
  const criteria = count === 1 ? "1 criterion was" : `${count} criteria were`;
  return [`- ${namesOf(judged)}: ${criteria} left to the review and not proved by execution`];
}

function gateLines(summary: Summary): string[] {
  return [
    ...ungatedFacts(summary).map(({ tasks, text }) => `- ${namesOf(tasks)}: passed, and ${text}`),
    ...redGateFacts(summary).map(({ tasks, text }) => `- ${namesOf(tasks)}: ${text}`),
  ];
}

const passedTasks = (summary: Summary) =>
  startedTasks(summary).filter(({ state }) => state === "passed");

const namesOf = (tasks: readonly TaskSummary[]) => taskRanges(tasks.map(({ id }) => id));
