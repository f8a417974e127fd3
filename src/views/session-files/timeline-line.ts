import type { FactOf } from "../../core/state/event.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import type {
  TimelineEvent,
  TimelineEventName,
} from "../../schema/session-files/timeline-event.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeOutcome, describeSteering } from "../summary/describe.ts";

/** A line of the timeline without its time; only with the published event names. */
export type Line = Omit<TimelineEvent, "ts" | "event"> & { event: TimelineEventName };

type Details = Record<string, unknown>;

export const infoLine = (message: string, details: Details = {}): Line => ({
  event: "info",
  details: { message, ...details },
});

export const warningLine = (message: string, details: Details = {}): Line => ({
  event: "warning",
  details: { message: plainLine(message, 1000), ...details },
});

export const stepName = (event: FactOf<"setup_end"> | FactOf<"baseline_end">) =>
  event.type === "setup_end" ? event.name : event.gate;

export const measured = ({ status, ms }: { status: string; ms: number }) => ({
  status,
  duration_ms: Math.round(ms),
});

export function sessionStart(event: FactOf<"session_start">): Line {
  const { source, branch, start, tasks, selected, sandbox, versions } = event;
  const counts = { tasks: tasks.length, selected: selected.length };
  return {
    event: "session_start",
    details: { source: source.path, branch, commit: start.commit, ...counts, sandbox, versions },
  };
}

export function sessionEnd({ reason, message }: FactOf<"session_end">): Line {
  return { event: "session_end", status: reason, details: { message: plainLine(message, 1000) } };
}

export function steered({ order, refused }: FactOf<"steered">): Line {
  const details = { order: describeSteering(order), comment: order.comment };
  return refused === undefined
    ? infoLine("command received", details)
    : warningLine(refused, details);
}

export function passDetails(
  state: SessionState,
  { task, tree, already_satisfied }: FactOf<"task_passed">,
): Details {
  return { tree, iterations: taskOf(state, task).iterations, already_satisfied };
}

export function taskFailed(event: FactOf<"task_failed"> | FactOf<"task_blocked">): Line {
  const { task, message, kept } = event;
  const status = event.type === "task_failed" ? "failed" : "blocked";
  const error = plainLine(message, 1000);
  return { event: "task_failed", task_id: task, status, error, ...(kept && { details: { kept } }) };
}

export function agentStart({ task, role, iteration, driver, model }: FactOf<"agent_start">): Line {
  const details = { iteration, driver, ...(model && { model }) };
  return { event: "agent_start", task_id: task, role, details };
}

export function agentEnd(event: FactOf<"agent_end">): Line[] {
  const { task, role, outcome, signal, usage, iteration, ms } = event;
  const about = { task_id: task, role, duration_ms: Math.round(ms) };
  const details = { iteration, ...usage };
  if (outcome.kind !== "answered") {
    const error = plainLine(describeOutcome(event), 1000);
    return [{ event: "agent_failed", ...about, status: outcome.kind, error, details }];
  }
  const answer = signal.kind === "valid" ? { signal: signal.name } : { status: signal.kind };
  return [{ event: "agent_complete", ...about, ...answer, details }, ...revertedChanges(event)];
}

/** Forbidden changes of an agent: reverted, or only reported where git ignores the files (design 9.5). */
function revertedChanges({
  task,
  role,
  refused,
  trespassed,
  ignored,
}: FactOf<"agent_end">): Line[] {
  const about = { task_id: task, role };
  const isReverted = refused.length + trespassed.length > 0;
  return [
    ...(isReverted
      ? [{ ...warningLine("changes reverted", { refused, trespassed }), ...about }]
      : []),
    ...(ignored.length > 0
      ? [{ ...warningLine("ignored files changed", { ignored }), ...about }]
      : []),
  ];
}

/** `gates_run` starts a group: the gates of one level on one tree (compatibility 1.4). */
export function gateEnd(event: FactOf<"gate_end">, state: SessionState): Line[] {
  const { task, gate, level, tree, status, detail, leftovers } = event;
  const group = Object.values(taskOf(state, task).gates).filter(
    (other) => other.level === level && other.tree === tree && other.status !== "skipped",
  );
  // A skipped gate has passed nothing.
  if (status === "skipped")
    return [{ ...infoLine("gate skipped", { gate, level, detail }), task_id: task }];
  const isGreen = status === "passed";
  const details = {
    ...(isGreen && detail !== "" && { detail }),
    ...(leftovers.length > 0 && { leftovers }),
  };
  const result: Line = {
    event: isGreen ? "gate_pass" : "gate_fail",
    task_id: task,
    gate,
    ...measured(event),
    ...(!isGreen && detail !== "" && { error: detail }),
    ...(Object.keys(details).length > 0 && { details }),
  };
  if (group.length > 1) return [result];
  return [{ event: "gates_run", task_id: task, details: { gate_type: level } }, result];
}
