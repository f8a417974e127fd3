import { selectedTasks } from "../../core/decide/task-order.ts";
import type { RunEvent } from "../../core/state/event.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { shownTaskState } from "../summary/report-parts.ts";
import { summarize } from "../summary/summary.ts";
import { createAxis } from "./axis.ts";
import { barsOf } from "./bars.ts";
import { failuresByTask } from "./failures.ts";

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
export type ReportModel = ReturnType<typeof reportModelOf>;
export type TaskReport = ReportModel["tasks"][number];

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
) {
  const summary = summarize(state, events);
  const isInterrupted = !state.end && !isAlive;
  const bars = barsOf(events);
  const byTask = Map.groupBy(bars, ({ task }) => task);
  const failures = failuresByTask(events);
  const runs = new Map(selectedTasks(state).map((task) => [task.task.id, task]));
  const tasks = summary.tasks.flatMap((each) => {
    const { id } = each;
    const task = runs.get(id);
    if (!task) return [];
    const pages = state.verification?.pages.filter((page) => page.task === id) ?? [];
    const own = { bars: byTask.get(id) ?? [], failures: failures.get(id) ?? [], pages, pictures };
    const shown = shownTaskState(each, isInterrupted || state.end !== undefined);
    // An interrupted task waits again when the session is resumed.
    const waiting = own.bars.length > 0 ? "interrupted" : "not begun";
    const label: TaskLabel = taskLabels.find((name) => name === shown) ?? waiting;
    return [{ summary: each, task, state: label, ...own }];
  });
  // Activities of no task: setup, gates on the start commit, waiting.
  const others = byTask.get(undefined) ?? [];
  const axis = createAxis(bars);
  return { state, summary, journal, pictures, isInterrupted, axis, bars: others, tasks };
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
