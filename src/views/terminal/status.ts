import type { Role, RunEvent } from "../../core/state/event.ts";
import { currentTask, phaseOf } from "../../core/state/phase.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import type { Phase } from "../../schema/base/phase.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Summary, summarize } from "../summary/summary.ts";

/** Whether a session's process lives. `interrupted`: it is gone, and the journal has no end. */
export type Liveness = "running" | "interrupted" | "ended";

/** How a session stands at this moment: what `ralph status --json` prints. */
export interface SessionStatus extends Summary {
  liveness: Liveness;
  phase: Phase;
  activity: Activity | null;
  /** One for each task under way, where several run side by side; else what `activity` says. */
  activities: readonly Activity[];
  last_failure: LastFailure | null;
}

/** What is done right now, and since when. */
export type Activity =
  | { kind: "agent"; task: string; role: Role; iteration: number; since: string }
  | { kind: "waiting"; because: "backoff" | "limit"; since: string; until: string }
  | { kind: "checking"; task: string; since: string }
  | { kind: "preparing"; since: string };

export type LastFailure = { task: string; iteration: number; because: string; feedback: string };

/** Pure. `last` is the journal's last event, `run` the state after it. */
export function liveStatusOf(state: SessionState, last: RunEvent, isAlive: boolean): SessionStatus {
  const liveness = livenessOf(state, isAlive);
  const activities = liveness === "ended" ? [] : activitiesOf(state, last);
  return {
    ...summarize(state),
    liveness,
    phase: phaseOf(state),
    activity: activities[0] ?? null,
    activities,
    last_failure: lastFailureOf(state),
  };
}

function livenessOf({ end }: SessionState, isAlive: boolean): Liveness {
  if (end) return "ended";
  return isAlive ? "running" : "interrupted";
}

/** A wait is for all tasks; what else is done each task tells itself. */
function activitiesOf(state: SessionState, last: RunEvent): Activity[] {
  const since = last.ts;
  const tasks = state.tasks.filter(({ state }) => state === "running");
  const doing = tasks.map((task) => activityOf(task, tasks.length === 1 ? since : undefined));
  if (last.type !== "wait") return doing.length > 0 ? doing : [{ kind: "preparing", since }];
  const calls = tasks.length > 1 ? doing.filter(({ kind }) => kind === "agent") : [];
  return [{ kind: "waiting", because: last.because, since, until: last.until }, ...calls];
}

/** `lastAt`: when anything happened last, where all of it is this task's. */
function activityOf({ task, doing }: TaskState, lastAt: string | undefined): Activity {
  const { id } = task;
  const since = doing?.since ?? lastAt ?? "";
  return doing?.call
    ? { kind: "agent", task: id, ...doing.call, since }
    : { kind: "checking", task: id, since: lastAt ?? since };
}

/** Of the task under way, else of the last one that did not pass. */
function lastFailureOf(state: SessionState): LastFailure | null {
  const troubled = state.tasks.filter(
    ({ state, lastFailure }) => state !== "passed" && lastFailure,
  );
  const task = currentTask(state) ?? troubled.at(-1);
  const failure = task?.lastFailure;
  if (!task || !failure) return null;
  const { iteration, because, feedback } = failure;
  return { task: task.task.id, iteration, because, feedback: plainLine(feedback, 300) };
}
