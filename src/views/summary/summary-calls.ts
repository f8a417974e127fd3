import type { FactOf, RunEvent } from "../../core/state/event.ts";
import type { Usage } from "../../core/state/measurement.ts";
import type { Role } from "../../core/state/roles.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { addUsage, type RoleUsage } from "../../core/state/usage.ts";
import { plainLine } from "../../text/plain-text.ts";

/** One call of an agent: task, role, program, time and outcome. */
export interface CallSummary {
  /** Null: a repair of the program after the last task. */
  task: string | null;
  role: Role;
  iteration: number;
  driver: string;
  /** Null: the agent program's own default. */
  model: string | null;
  /** `refused`: it answered without a valid signal, or the reviewer rejected the work. */
  outcome: "running" | "interrupted" | "accepted" | "refused" | "failed" | "limited" | "cancelled";
  started_at: string;
  /** Null while it runs, and when it was interrupted. */
  ended_at: string | null;
  usage: Usage;
}

/** The calls and cost of a model in one role. */
export type ModelUsage = RoleUsage & { role: Role; driver: string; model: string | null };

/** The calls of a session in the order they began. */
export function callsOf(events: readonly RunEvent[]): CallSummary[] {
  const calls: CallSummary[] = [];
  for (const event of events) {
    if (event.type === "agent_start" || event.type === "fix_call_start") calls.push(begun(event));
    else if (event.type === "agent_end" || event.type === "fix_call_end") end(calls, event);
    else if (event.type === "session_resume" || event.type === "session_end") interrupt(calls);
  }
  return calls;
}

type CallStart = FactOf<"agent_start" | "fix_call_start"> & { ts: string };
type CallEnd = FactOf<"agent_end" | "fix_call_end"> & { ts: string };

const taskOfCall = (event: CallStart | CallEnd) => ("task" in event ? event.task : null);

function begun(event: CallStart): CallSummary {
  const { role, iteration, driver, model, ts } = event;
  return {
    task: taskOfCall(event),
    role,
    iteration,
    driver: plainLine(driver, 60),
    model: model === undefined ? null : plainLine(model, 100),
    outcome: "running",
    started_at: ts,
    ended_at: null,
    usage: {},
  };
}

function end(calls: CallSummary[], event: CallEnd): void {
  const { role, ts, usage } = event;
  const task = taskOfCall(event);
  const at = calls.findLastIndex(
    (call) => call.outcome === "running" && call.task === task && call.role === role,
  );
  const call = calls[at];
  if (call) calls[at] = { ...call, outcome: outcomeOf(event), ended_at: ts, usage };
}

function outcomeOf({ outcome, signal }: CallEnd): CallSummary["outcome"] {
  if (outcome.kind !== "answered") return outcome.kind;
  return signal.kind === "valid" && signal.name !== "review-rejected" ? "accepted" : "refused";
}

function interrupt(calls: CallSummary[]): void {
  for (const [at, call] of calls.entries()) {
    if (call.outcome === "running") calls[at] = { ...call, outcome: "interrupted" };
  }
}

/** The calls of the planning before the session, of which only the sum is known. */
export function planningUsage({ planning }: SessionState["session"]): ModelUsage[] {
  if (!planning) return [];
  const { driver, model, calls, usage } = planning;
  const names = { driver: plainLine(driver, 60), model: model ? plainLine(model, 100) : null };
  return [{ role: "planning", ...names, calls, ...usage }];
}

/** Usage by role, program and model, in the order of their first call; only ended calls count. */
export function usageByModel(calls: readonly CallSummary[]): ModelUsage[] {
  const groups = Map.groupBy(
    calls.filter(({ ended_at }) => ended_at !== null),
    ({ role, driver, model }) => JSON.stringify([role, driver, model]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { role, driver, model } = first;
    const usage = group.map((call) => call.usage).reduce(addUsage);
    return [{ role, driver, model, calls: group.length, ...usage }];
  });
}
