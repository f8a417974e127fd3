import type { FactOf } from "../../core/state/event.ts";
import { type SessionState, taskOf } from "../../core/state/session-state.ts";
import { noVerification } from "../../core/state/verification.ts";
import { redPhase } from "../../core/verify/judge-verification.ts";
import type {
  TimelineEvent,
  TimelineEventName,
} from "../../schema/session-files/timeline-event.ts";
import { plainLine } from "../../text/plain-text.ts";
import { describeOutcome } from "../summary/describe.ts";

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

export const errorOf = (message: string) => ({ error: plainLine(message, 1000) });

export const took = ({ ms }: { ms: number }) => ({ duration_ms: Math.round(ms) });

/** The end of a call; changes that ralph reverted have lines of their own (design 9.5). */
export function callEnd(
  event: FactOf<"agent_end" | "fix_call_end">,
  about: Details,
  ...changes: { message: string; paths: Record<string, readonly string[]> }[]
): Line[] {
  const { role, outcome, signal, usage } = event;
  const who = "task" in event ? { task_id: event.task, role } : { role };
  const call = { ...who, ...took(event) };
  const details = { ...about, ...usage };
  if (outcome.kind !== "answered") {
    const failure = { status: outcome.kind, ...errorOf(describeOutcome(event)) };
    return [{ event: "agent_failed", ...call, ...failure, details }];
  }
  const answer = signal.kind === "valid" ? { signal: signal.name } : { status: signal.kind };
  const changed = changes.filter(({ paths }) => Object.values(paths).flat().length > 0);
  return [
    { event: "agent_complete", ...call, ...answer, details },
    ...changed.map(({ message, paths }) => ({ ...warningLine(message, paths), ...who })),
  ];
}

/** `gates_run` starts a group: the gates of one level on one tree (compatibility 1.4). */
export function gateEnd(event: FactOf<"gate_end">, state: SessionState): Line[] {
  const { task, gate, level, tree, status, detail, leftovers } = event;
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
    ...{ task_id: task, gate, status, ...took(event) },
    ...(!isGreen && detail !== "" && { error: detail }),
    ...(Object.keys(details).length > 0 && { details }),
  };
  const group = Object.values(taskOf(state, task).gates).filter(
    (other) => other.level === level && other.tree === tree && other.status !== "skipped",
  );
  if (group.length > 1) return [result];
  return [{ event: "gates_run", task_id: task, details: { gate_type: level } }, result];
}

/** A loop of repairs ends with its session, whether or not everything is green. */
export function fixLoopEnd({
  repairs,
  resumedAt,
  verification = noVerification,
}: SessionState): Line[] {
  const here = repairs?.ended.filter(({ at }) => resumedAt === undefined || at > resumedAt) ?? [];
  if (here.length === 0 && !repairs?.open) return [];
  const status = redPhase(verification) === undefined && !repairs?.open ? "passed" : "failed";
  return [{ event: "fix_loop_end", status, details: { iterations: here.length } }];
}
