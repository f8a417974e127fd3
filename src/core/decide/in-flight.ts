import type { SessionState } from "../state/session-state.ts";
import { addUsage } from "../state/usage.ts";
import { withinBudget } from "./budget.ts";
import type { Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/** Steps that concern all tasks: while they run, nothing that costs starts. */
export const isPause = ({ kind }: Step): boolean =>
  kind === "wait" || kind === "setup" || kind === "end";

/** Steps without an agent call: they finish work, even while agents wait. */
export const callsNoAgent = (step: Step): boolean =>
  !isPause(step) && step.kind !== "call-agent" && step.kind !== "start-task";

/** Whether the step, or another step of the same task, is running already. */
export function isInFlight(step: Step, inFlight: readonly Step[]): boolean {
  if ("task" in step) return inFlight.some((other) => "task" in other && other.task === step.task);
  return inFlight.some(({ kind }) => kind === step.kind);
}

/**
 * Whether the budget still holds if every running call costs what calls of its role have cost so far: an estimate until
 * they end. A step that is not covered waits for that.
 */
export function isCovered(
  state: SessionState,
  policy: Policy,
  { step, inFlight }: { step: Step; inFlight: readonly Step[] },
): boolean {
  const cost_usd = inFlight.reduce((sum, other) => sum + usualCost(state, other), 0);
  if (cost_usd === 0) return true;
  const day = state.ts.slice(0, 10);
  const spentByDay = { ...state.spentByDay, [day]: (state.spentByDay[day] ?? 0) + cost_usd };
  const later = { ...state, usage: addUsage(state.usage, { cost_usd }), spentByDay };
  return withinBudget(later, policy.budgets, step).kind !== "end";
}

function usualCost({ usageByRole }: SessionState, step: Step): number {
  const known = step.kind === "call-agent" ? usageByRole[step.role] : undefined;
  return known?.cost_usd === undefined ? 0 : known.cost_usd / Math.max(1, known.calls);
}
