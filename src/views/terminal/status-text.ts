import { counted, renderCost, renderDuration, renderStamp } from "../../text/figures.ts";
import { waitReasons } from "../summary/describe.ts";
import { ifUngated, ungatedNote } from "../summary/gate-facts.ts";
import { nextAction } from "../summary/outcome.ts";
import { renderTaskTable, toLookAt } from "../summary/summary-text.ts";
import type { Activity, SessionStatus } from "./status.ts";
import type { TerminalStyle } from "./terminal.ts";

/** How a status is shown. `now` in milliseconds since 1970; `isWatched`: it is shown again after each change. */
type Shown = { now: number; isWatched: boolean; style: TerminalStyle };

/** The status of a session, for people. */
export function renderStatus(status: SessionStatus, { now, isWatched, style }: Shown): string {
  const { session_id, branch, last_failure: failure } = status;
  const facts = [
    `Session  ${session_id} on ${branch}: ${colourOf(status, style)(headline(status))}`,
    ...describeActivities(status, now),
    `Passed   ${figures(status)}`,
  ];
  const trouble = failure && [
    `${failure.task} iteration ${failure.iteration} failed (${failure.because}): ${failure.feedback}`,
  ];
  const parts = [
    facts.join("\n"),
    colouredTable(status, style),
    ...(trouble ?? []).map(style.bad),
    ...toLookAt(status),
  ];
  const isFollowed = isWatched && status.liveness === "running";
  const next = isFollowed ? "Ctrl-C stops watching; the session goes on." : nextOf(status);
  return `${parts.join("\n\n")}\n\nNext     ${next}`;
}

function colourOf({ liveness, stop_reason, tasks }: SessionStatus, style: TerminalStyle) {
  if (liveness === "running") return style.plain;
  if (stop_reason !== "all_done" && stop_reason !== "nothing_to_do") return style.bad;
  return ungatedNote({ tasks }) === undefined ? style.good : style.plain;
}

function colouredTable({ tasks, stop_reason }: SessionStatus, style: TerminalStyle): string {
  const [head = "", ...rows] = renderTaskTable(tasks, stop_reason !== null).split("\n");
  const colours = {
    passed: "good",
    running: "plain",
    pending: "faint",
    failed: "bad",
    blocked: "bad",
  } as const;
  const coloured = rows.map((row, at) => style[colours[tasks[at]?.state ?? "pending"]](row));
  return [head, ...coloured].join("\n");
}

function headline({ liveness, phase, status, message, tasks }: SessionStatus): string {
  const end = ifUngated({ tasks }, (note) => ` But ${note}.`);
  if (liveness === "ended") return `${status.replaceAll("_", " ")} - ${message}${end}`;
  return liveness === "running" ? phase : "interrupted: its process died before the session ended";
}

function nextOf({ liveness, stop_reason }: SessionStatus): string {
  return liveness === "interrupted"
    ? "Continue with `ralph run --resume`; passed tasks are committed, unfinished work is kept."
    : nextAction(stop_reason);
}

function describeActivities({ activities, phase, liveness }: SessionStatus, now: number): string[] {
  return activities.map((activity, index) => {
    const { since } = activity;
    const ms = Math.max(0, now - Date.parse(since));
    const long = liveness === "running" ? ` (${renderDuration(ms)})` : "";
    const head = index === 0 ? `Now      ${phase}: ` : "         ";
    return `${head}${describeActivity(activity)}, since ${renderStamp(since)} UTC${long}`;
  });
}

function describeActivity(activity: Activity): string {
  switch (activity.kind) {
    case "agent":
      return `${activity.role} of ${activity.task}, iteration ${activity.iteration}`;
    case "waiting":
      return `waiting until ${renderStamp(activity.until)} UTC, ${waitReasons[activity.because]}`;
    case "checking":
      return `gates and criteria of ${activity.task}`;
    case "preparing":
      return "getting ready";
  }
}

function figures(status: SessionStatus): string {
  const { tasks_completed, tasks_total, iterations, cost_usd, liveness, duration_ms } = status;
  // Before the end it is only the time up to the last event.
  const time = liveness === "ended" ? [renderDuration(duration_ms)] : [];
  const cost = cost_usd === null ? [] : [renderCost(cost_usd)];
  const tasks = `${tasks_completed}/${tasks_total} tasks`;
  return [tasks, counted(iterations, "iteration"), ...time, ...cost].join(", ");
}

/** One line for a prompt or tmux: `ralph 1/3 T-002 review`. */
export function renderStatusLine(status: SessionStatus): string {
  const { tasks_completed, tasks_total } = status;
  return `ralph ${tasks_completed}/${tasks_total} ${shortStatus(status)}`;
}

/** Further tasks are only counted. */
const maxShort = 3;

function shortStatus({ liveness, status, activities, tasks }: SessionStatus): string {
  if (liveness === "interrupted") return liveness;
  const outcome = status.replaceAll("_", " ");
  if (liveness === "ended") return `${outcome}${ifUngated({ tasks }, (note) => `, ${note}`)}`;
  if (activities.length === 0) return outcome;
  const more = activities.length - maxShort;
  const shown = activities.slice(0, maxShort).map(shortActivity).join(", ");
  return more > 0 ? `${shown}, ${more} more` : shown;
}

function shortActivity(activity: Activity): string {
  switch (activity.kind) {
    case "agent":
      return `${activity.task} ${activity.role}`;
    case "waiting":
      return `waiting until ${activity.until.slice(11, 16)} UTC`;
    case "checking":
      return `${activity.task} checking`;
    case "preparing":
      return "preparing";
  }
}
