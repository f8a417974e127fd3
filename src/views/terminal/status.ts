import type { RunEvent } from "../../core/state/event.ts";
import { currentTask, phaseOf } from "../../core/state/phase.ts";
import type { Role } from "../../core/state/roles.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import type { Phase } from "../../schema/base/phase.ts";
import { plainLine } from "../../text/plain-text.ts";
import { type Summary, summarize } from "../summary/summary.ts";

/** Whether a session's process is alive. `interrupted`: it is dead, and the journal has no end. */
type Liveness = "running" | "interrupted" | "ended";

/** The current status of a session: the object that `ralph status --json` prints. */
export interface SessionStatus extends Summary {
  liveness: Liveness;
  phase: Phase;
  activity: Activity | null;
  /** One for each running task; `activity` is the first. */
  activities: readonly Activity[];
  last_failure: ReturnType<typeof lastFailureOf>;
}

/** The current work, and when it began. */
export type Activity =
  | { kind: "agent"; task: string; role: Role; iteration: number; since: string }
  | { kind: "waiting"; because: "backoff" | "limit"; since: string; until: string }
  | { kind: "checking"; task: string; since: string }
  | { kind: "preparing"; since: string };

/** `last` is the journal's last event, `state` the state after it. */
export function liveStatusOf(state: SessionState, last: RunEvent, isAlive: boolean): SessionStatus {
  const open = isAlive ? "running" : "interrupted";
  const liveness = state.end ? "ended" : open;
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

/** A wait concerns all tasks; beside it only agent calls of other tasks are shown. */
function activitiesOf(state: SessionState, last: RunEvent): Activity[] {
  const since = last.ts;
  const tasks = state.tasks.filter(({ state }) => state === "running");
  const doing = tasks.map((task) => activityOf(task, tasks.length === 1 ? since : undefined));
  if (last.type !== "wait") return doing.length > 0 ? doing : [{ kind: "preparing", since }];
  const calls = tasks.length > 1 ? doing.filter(({ kind }) => kind === "agent") : [];
  return [{ kind: "waiting", because: last.because, since, until: last.until }, ...calls];
}

/** `lastAt`: the time of the last event, if this is the only running task. */
function activityOf({ task, doing }: TaskState, lastAt: string | undefined): Activity {
  const { id } = task;
  const since = doing?.since ?? lastAt ?? "";
  return doing?.call
    ? { kind: "agent", task: id, ...doing.call, since }
    : { kind: "checking", task: id, since: lastAt ?? since };
}

function lastFailureOf(state: SessionState) {
  const troubled = state.tasks.filter(
    ({ state, lastFailure }) => state !== "passed" && lastFailure,
  );
  const task = currentTask(state) ?? troubled.at(-1);
  const failure = task?.lastFailure;
  if (!task || !failure) return null;
  const { iteration, because, feedback } = failure;
  return { task: task.task.id, iteration, because, feedback: plainLine(feedback, 300) };
}
