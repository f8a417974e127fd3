import { dollars, renderDuration } from "../../src/text/figures.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import { type Html, html } from "../../src/views/html/html.ts";
import { isolate } from "../../src/views/html/labels.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import { statusOf } from "../runs/run-status.ts";

/** The status as a sign, a word and a colour. */
export function renderRunStatus(run: DispatchedRun): Html {
  const { headline, mark, tone } = statusOf(run);
  return html`<span class="state ${tone}"><span aria-hidden="true">${mark}</span> ${isolate(headline, 120)}</span>`;
}

const longestTitle = 120;

/** The work of a run in one line, such as `Issue 12`. */
export function titleOf({ request: { item, issue, command } }: DispatchedRun): string {
  if (issue !== undefined && item === `issue-${issue}`) return `Issue ${issue}`;
  return command === "autopilot" && item === "reports"
    ? "Newest report"
    : plainLine(item, longestTitle);
}

/** `3 of 5 tasks`, once they are counted. */
export const tasksOf = ({ tasks }: DispatchedRun): string =>
  tasks ? `${tasks.passed} of ${tasks.total} ${tasks.total === 1 ? "task" : "tasks"}` : "no tasks";

/** `$0.42`; a missing cost is unknown, not zero. */
export function costOf({ cost_usd: usd, workflow }: DispatchedRun): string {
  if (usd !== undefined) return dollars(usd);
  return workflow ? "cost unknown" : "no cost";
}

/** How long the run has taken so far, or took in total. */
export function timeOf(run: DispatchedRun, now: number): string {
  const isOver = !isOpen(run);
  const ms = Math.max(0, (isOver ? run.changed_at : now) - run.started_at);
  return isOver ? renderDuration(ms) : `${renderDuration(ms)} so far`;
}

/** `2026-01-25 14:38`. */
export function renderMinute(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "unknown";
  return date.toISOString().slice(0, 16).replace("T", " ");
}
