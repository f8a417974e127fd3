import { selectedTasks } from "../../core/decide/task-order.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { type Summary, summarize, type TaskSummary } from "../summary/summary.ts";
import { shownTaskState } from "../summary/summary-text.ts";
import { type Axis, createAxis } from "./axis.ts";
import { type Bar, barsOf } from "./bars.ts";
import { failuresByTask, type ShownFailure } from "./failures.ts";

/** What is known beside the run. */
export type ReportInput = {
  events: readonly RunEvent[];
  /** `seq:hash` of the journal's last line, where it is known. */
  journal: string | undefined;
  /** Somebody works on the session now. A session without end that nobody works on was interrupted. */
  isAlive: boolean;
};

/** A session as its report tells it. */
export interface ReportModel extends Pick<ReportInput, "journal"> {
  state: SessionState;
  summary: Summary;
  isInterrupted: boolean;
  axis: Axis;
  /** What was done for no task: setup, gates on the start commit, waiting. */
  bars: readonly Bar[];
  tasks: readonly TaskReport[];
}

export interface TaskReport {
  summary: TaskSummary;
  task: TaskState;
  state: TaskLabel;
  bars: readonly Bar[];
  failures: readonly ShownFailure[];
}

/** How a task stands, in a word. */
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

/** Puts together what the events tell about each task. Of a list that was edited the newest tasks count. */
export function reportModelOf(
  state: SessionState,
  { events, journal, isAlive }: ReportInput,
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
    const told = { bars: byTask.get(id) ?? [], failures: failures.get(id) ?? [] };
    const isOver = isInterrupted || state.end !== undefined;
    const label = labelOf(each, { isOver, isBegun: told.bars.length > 0 });
    return [{ summary: each, task: found, state: label, ...told }];
  });
  const axis = createAxis(bars);
  return { state, summary, journal, isInterrupted, axis, bars: byTask.get(undefined) ?? [], tasks };
}

/** What was interrupted waits for its turn again once the session goes on. */
function labelOf(
  task: TaskSummary,
  { isOver, isBegun }: { isOver: boolean; isBegun: boolean },
): TaskLabel {
  const word = shownTaskState(task, isOver);
  const found = taskLabels.find((each) => each === word);
  return found ?? (isBegun ? "interrupted" : "not begun");
}

/** Tasks that did not pass and say why, or whose work was kept. */
export const unfinishedTasks = ({ tasks }: Pick<ReportModel, "tasks">) =>
  tasks.filter(
    ({ state, summary }) => !isPassed(state) && (summary.message ?? summary.kept) !== null,
  );

export const isPassed = (state: TaskLabel) => state === "passed" || state === "passed before";

/** Tasks that passed in this session. */
export const newlyPassed = ({ tasks }: Pick<ReportModel, "tasks">) =>
  tasks.filter(({ state }) => state === "passed");
