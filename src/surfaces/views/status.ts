import type { Role, RunEvent } from "../../run/event.ts";
import { currentTask, type Phase, phaseOf } from "../../run/phase.ts";
import type { Run } from "../../run/run.ts";
import { plainLine } from "../plain-text.ts";
import { type Summary, summarize } from "./summary.ts";

/** Whether a session's process lives. `interrupted`: it is gone, and the journal has no end. */
export type Liveness = "running" | "interrupted" | "ended";

/** How a session stands at this moment: what `ralph status --json` prints. */
export interface Status extends Summary {
  liveness: Liveness;
  phase: Phase;
  activity: Activity | null;
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
export function statusOf(run: Run, last: RunEvent, isAlive: boolean): Status {
  const liveness = livenessOf(run, isAlive);
  return {
    ...summarize(run),
    liveness,
    phase: phaseOf(run),
    activity: liveness === "ended" ? null : activityOf(run, last),
    last_failure: lastFailureOf(run),
  };
}

function livenessOf({ end }: Run, isAlive: boolean): Liveness {
  if (end) return "ended";
  return isAlive ? "running" : "interrupted";
}

/** One thing is done at a time, so the last event tells which. */
function activityOf(run: Run, last: RunEvent): Activity {
  const since = last.ts;
  if (last.type === "agent_start") {
    const { task, role, iteration } = last;
    return { kind: "agent", task, role, iteration, since };
  }
  if (last.type === "wait") {
    return { kind: "waiting", because: last.because, since, until: last.until };
  }
  const current = currentTask(run);
  return current
    ? { kind: "checking", task: current.task.id, since }
    : { kind: "preparing", since };
}

/** Of the task under way, else of the last one that did not pass. */
function lastFailureOf(run: Run): LastFailure | null {
  const troubled = run.tasks.filter(({ state, lastFailure }) => state !== "passed" && lastFailure);
  const task = currentTask(run) ?? troubled.at(-1);
  const failure = task?.lastFailure;
  if (!task || !failure) return null;
  const { iteration, because, feedback } = failure;
  return { task: task.task.id, iteration, because, feedback: plainLine(feedback, 300) };
}
