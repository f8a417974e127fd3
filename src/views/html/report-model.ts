import { selectedTasks } from "../../core/decide/task-order.ts";
import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { type Summary, summarize, type TaskSummary } from "../summary/summary.ts";
import { shownTaskState } from "../summary/summary-text.ts";
import { type Axis, createAxis } from "./axis.ts";
import { type Bar, barsOf } from "./bars.ts";
import { failuresByTask, type ShownFailure } from "./failures.ts";

/** The pictures at hand, by their sha256. */
export type Pictures = ReadonlyMap<string, Buffer>;

/** The data of a report beside the state. */
export type ReportInput = {
  events: readonly RunEvent[];
  /** `seq:hash` of the journal's last line, if known. */
  journal: string | undefined;
  pictures: Pictures;
  /** The session's process is alive. A session without an end and without a process was interrupted. */
  isAlive: boolean;
};

/** A session as its report shows it. */
export interface ReportModel extends Pick<ReportInput, "journal" | "pictures"> {
  state: SessionState;
  summary: Summary;
  isInterrupted: boolean;
  axis: Axis;
  /** Activities of no task: setup, gates on the start commit, waiting. */
  bars: readonly Bar[];
  tasks: readonly TaskReport[];
}

export interface TaskReport {
  summary: TaskSummary;
  task: TaskState;
  state: TaskLabel;
  bars: readonly Bar[];
  failures: readonly ShownFailure[];
  pages: readonly FactOf<"page_seen">[];
  pictures: Pictures;
}

/** The status of a task. */
export type TaskLabel = (typeof taskLabels)[number];
const taskLabels = [
  "passed",
  "passed before",
  "failed",
  "blocked",
  "interrupted",
  "running",
  "not begun",
] as const;

/** Collects the events of each task. After an edit of the task list only its current tasks count. */
export function reportModelOf(
  state: SessionState,
  { events, journal, isAlive, pictures }: ReportInput,
): ReportModel {
  const summary = summarize(state, events);
  const isInterrupted = !state.end && !isAlive;
  const bars = barsOf(events);
  const byTask = Map.groupBy(bars, ({ task }) => task);
  const failures = failuresByTask(events);
  const runs = new Map(selectedTasks(state).map((task) => [task.task.id, task]));
  const tasks = summary.tasks.flatMap((each) => {
    const { id } = each;
    const found = runs.get(id);
    if (!found) return [];
    const pages = state.verification?.pages.filter(({ task }) => task === id) ?? [];
    const activity = {
      bars: byTask.get(id) ?? [],
      failures: failures.get(id) ?? [],
      pages,
      pictures,
    };
    const isOver = isInterrupted || state.end !== undefined;
    const label = labelOf(each, { isOver, isBegun: activity.bars.length > 0 });
    return [{ summary: each, task: found, state: label, ...activity }];
  });
  const axis = createAxis(bars);
  const others = byTask.get(undefined) ?? [];
  return { state, summary, journal, pictures, isInterrupted, axis, bars: others, tasks };
}

/** An interrupted task waits again when the session is resumed. */
function labelOf(
  task: TaskSummary,
  { isOver, isBegun }: { isOver: boolean; isBegun: boolean },
): TaskLabel {
  const state = shownTaskState(task, isOver);
  const found = taskLabels.find((each) => each === state);
  return found ?? (isBegun ? "interrupted" : "not begun");
}

/** Tasks that did not pass and have a message or kept work. */
export const unfinishedTasks = ({ tasks }: Pick<ReportModel, "tasks">) =>
  tasks.filter(
    ({ state, summary }) => !isPassed(state) && (summary.message ?? summary.kept) !== null,
  );

export const isPassed = (state: TaskLabel) => state === "passed" || state === "passed before";

/** Tasks that passed in this session. */
export const newlyPassed = ({ tasks }: Pick<ReportModel, "tasks">) =>
  tasks.filter(({ state }) => state === "passed");
