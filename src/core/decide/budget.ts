import { dollars } from "../../text/figures.ts";
import { type SessionState, taskOf } from "../state/session-state.ts";
import { dayOf } from "../state/usage.ts";
import type { Step } from "./step.ts";

/** Spending limits in US dollars; null: no limit, 0: nothing (design 7). */
export interface Budgets {
  session: number | null;
  task: number | null;
  day: number | null;
  /** Spending of the project's other sessions on a day (UTC). Only one session runs at a time, so it is constant. */
  others: DaySpending;
}

export type DaySpending = { day: string; usd: number };

export const noBudgets: Budgets = {
  session: null,
  task: null,
  day: null,
  others: { day: "", usd: 0 },
};

/**
 * The step, or the step that replaces it because of a budget. Once a bound is reached, nothing that costs starts. From
 * nine tenths of the session's or the day's budget on, no new task or iteration starts, so that running ones can
 * finish. A task that has used up its own budget is blocked, and the others continue.
 */
export function withinBudget(state: SessionState, configured: Budgets, step: Step): Step {
  if (!canCost(step)) return step;
  const budgets = { ...configured, session: sessionBudget(state, configured.session) };
  const bounds = boundsOf(state, budgets);
  const reached = bounds.find((bound) => isReached(bound, 10));
  if (reached) return end(`${spent(reached)}; nothing more is started. ${reached.remedy}`);
  if (state.unknownCosts > 0 && hasBudget(budgets)) return end(unknownCost);
  const landing = bounds.find((bound) => isReached(bound, 9));
  if (landing && isNew(state, step)) {
    return end(`${spent(landing)}; no new task or iteration is started. ${landing.remedy}`);
  }
  return taskStep(state, budgets, step);
}

/** The budget of the whole session: from a steering command, else from the configuration. */
export const sessionBudget = (
  { steering }: SessionState,
  configured: number | null,
): number | null => steering.budgetUsd ?? configured;

/** A wait serves only the call after it, and a setup step only the tasks after it. */
const canCost = ({ kind }: Step) =>
  kind === "call-agent" ||
  kind === "start-fix" ||
  kind === "call-fixer" ||
  kind === "start-task" ||
  kind === "setup" ||
  kind === "wait";

export const hasBudget = ({ session, task, day }: Pick<Budgets, "session" | "task" | "day">) =>
  (session ?? task ?? day) !== null;

const end = (message: string): Step => ({ kind: "end", reason: "budget", message });

/** The spending at one moment. */
type Spending = Pick<SessionState, "ts" | "usage" | "spentByDay">;

/** The message of the first bound that is reached; undefined while the budget allows one more call. */
export function reachedBound(
  spending: Spending,
  budgets: Budgets,
): { of: "session" | "day"; message: string } | undefined {
  const reached = boundsOf(spending, budgets).find((bound) => isReached(bound, 10));
  return reached && { of: reached.of, message: spent(reached) };
}

type Bound = {
  of: "session" | "day";
  usd: number;
  limit: number;
  what: string;
  remedy: string;
};

function boundsOf(run: Spending, { session, day, others }: Budgets): Bound[] {
  const today = dayOf(run.ts);
  const before = others.day === today ? others.usd : 0;
  const bounds = [
    {
      of: "session",
      usd: run.usage.cost_usd ?? 0,
      limit: session,
      what: "this session",
      remedy: raiseSession,
    },
    {
      of: "day",
      usd: before + (run.spentByDay[today] ?? 0),
      limit: day,
      what: `${today} (UTC)`,
      remedy: waitForTomorrow,
    },
  ] as const;
  return bounds.flatMap(({ limit, ...bound }) => (limit === null ? [] : [{ ...bound, limit }]));
}

const raiseSession =
  "To continue, give it a larger total budget: `ralph run --resume --budget USD`.";
const waitForTomorrow =
  "Continue after 00:00 UTC with `ralph run --resume`, or raise `limits.budget_usd_per_day`, commit that and start with `ralph run`.";
const unknownCost =
  "The agent program reported no cost, so the budget cannot be kept; nothing more is started. Check which program `agents.<role>.command` really calls, set `pricing` for its model, or remove the budget; commit that and start with `ralph run`.";

/** Compares in millionths, so that three times 0.3 is nine tenths of 1. A bound of 0 is reached before anything is spent. */
const isReached = ({ usd, limit }: Pick<Bound, "usd" | "limit">, tenths: number) =>
  Math.round(usd * 1e6) * 10 >= Math.round(limit * 1e6) * tenths;

const spent = ({ usd, limit, what }: Bound) =>
  `Budget: ${dollars(usd)} of ${dollars(limit)} for ${what} is spent`;

/** Whether the step starts a task or another iteration: work that no running step waits for. */
function isNew(state: SessionState, step: Step): boolean {
  if (step.kind === "call-fixer") return false;
  if (step.kind !== "call-agent") return step.kind !== "wait";
  return step.role === "implementation" && taskOf(state, step.task).iterations > 0;
}

function taskStep(state: SessionState, { task: limit }: Budgets, step: Step): Step {
  if (limit === null || step.kind !== "call-agent") return step;
  const usd = taskOf(state, step.task).usage.cost_usd ?? 0;
  if (!isReached({ usd, limit }, 10)) return step;
  const message = `Budget: ${dollars(usd)} of ${dollars(limit)} for one task is spent. Split the task, or raise \`limits.budget_usd_per_task\`; commit that and start with \`ralph run\``;
  return { kind: "give-up", task: step.task, as: "blocked", message };
}
