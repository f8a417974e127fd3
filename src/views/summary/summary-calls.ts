import type { FactOf, Role, RunEvent } from "../../core/state/event.ts";
import type { Usage } from "../../core/state/measurement.ts";
import type { SessionState } from "../../core/state/session-state.ts";
import { addUsage, type RoleUsage } from "../../core/state/usage.ts";
import { plainLine } from "../../text/plain-text.ts";

/** One call of an agent: task, role, program, time and outcome. */
export interface CallSummary {
  task: string;
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
    if (event.type === "agent_start") calls.push(begun(event));
    else if (event.type === "agent_end") end(calls, event);
    else if (event.type === "session_resume" || event.type === "session_end") interrupt(calls);
  }
  return calls;
}

function begun(event: FactOf<"agent_start"> & { ts: string }): CallSummary {
  const { task, role, iteration, driver, model, ts } = event;
  return {
    task,
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

function end(calls: CallSummary[], event: FactOf<"agent_end"> & { ts: string }): void {
  const { task, role, ts, usage } = event;
  const at = calls.findLastIndex(
    (call) => call.outcome === "running" && call.task === task && call.role === role,
  );
  const call = calls[at];
  if (call) calls[at] = { ...call, outcome: outcomeOf(event), ended_at: ts, usage };
}

function outcomeOf({ outcome, signal }: FactOf<"agent_end">): CallSummary["outcome"] {
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
