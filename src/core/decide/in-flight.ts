import type { SessionState } from "../state/session-state.ts";
import { addUsage } from "../state/usage.ts";
import { withinBudget } from "./budget.ts";
import type { Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/** Steps that concern all tasks: nothing that costs starts beside them. */
export const isPause = ({ kind }: Step): boolean =>
  kind === "wait" || kind === "setup" || kind === "end";

/** Steps that call nobody: they bring home what was worked on, also while agents wait. */
export const isQuiet = (step: Step): boolean =>
  !isPause(step) && step.kind !== "call-agent" && step.kind !== "start-task";

/** Whether a step is carried out already, or another one of the same task. */
export function isUnderWay(step: Step, inFlight: readonly Step[]): boolean {
  if ("task" in step) return inFlight.some((other) => "task" in other && other.task === step.task);
  return inFlight.some(({ kind }) => kind === step.kind);
}

/**
 * Whether the budget also holds when every call under way costs what calls of its role have cost so far. Nobody knows
 * better before they end; a step that is not covered waits for that.
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
