import { type Budgets, noBudgets, reachedBound } from "../../core/decide/budget.ts";
import { priced, priceOf } from "../../core/decide/price.ts";
import type { Usage } from "../../core/state/event.ts";
import { addUsage } from "../../core/state/usage.ts";
import { RalphError } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { Clock } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { addSpending, spentByOthers } from "../../session/loop/day-spending.ts";
import { budgetsOf } from "../../session/loop/policy-of.ts";
import { unknownCost } from "../../session/open/check-budget.ts";
import type { Model } from "./model.ts";

/** Questions that were asked, whom, and what they used. */
export type QuestionUsage = { calls: number; usage: Usage; by?: string | undefined };

/** What a run spends on questions; it counts for the session's budget and for the day's. */
export interface SpendTracker {
  /** Ends the run when nothing is left for another question (exit 21). */
  requireLeft: () => Promise<void>;
  /** Adds what one question used; it is on the disk before anything else happens. */
  add: (usage: Usage) => Promise<void>;
  asked: () => QuestionUsage;
}

type SpendTrackerParts = {
  store: SessionStore;
  clock: Clock;
  config: Config;
  runId: string;
  /** By the same run, before it was resumed. */
  asked: QuestionUsage;
};

/** Opens a run's purse. A budget that could not be kept is refused before anything is spent (exit 1). */
export function openSpendTracker(
  model: Model,
  { store, clock, config, runId, asked: before }: SpendTrackerParts,
): SpendTracker {
  // One for a task begins with the tasks.
  const { session, day } = budgetsOf(config);
  const budgets: Budgets = { ...noBudgets, session, day };
  const isLimited = (session ?? day) !== null;
  const price = priceOf(config.pricing, model.model);
  if (isLimited) requireKnownCost(model, price !== undefined);
  let asked = before;
  return {
    requireLeft: async () => {
      const now = clock.now();
      const others =
        day === null ? noBudgets.others : await spentByOthers(store, { sessionId: runId, now });
      const spending = { ts: new Date(now).toISOString(), usage: asked.usage, spentByDay: {} };
      const reached = reachedBound(spending, { ...budgets, others });
      if (reached) throw budgetReached(reached);
    },
    add: async (usage) => {
      const pricedUsage = priced(usage, price);
      asked = { calls: asked.calls + 1, usage: addUsage(asked.usage, pricedUsage), by: model.name };
      const { cost_usd: usd } = pricedUsage;
      if (usd) await addSpending(store, { run: runId, usd, now: clock.now() });
      if (usd === undefined && isLimited) throw costNotReported(model);
    },
    asked: () => asked,
  };
}

function requireKnownCost({ name, model, reportedUsage: tells }: Model, hasPrice: boolean): void {
  if (tells === "cost" || (tells === "tokens" && hasPrice)) return;
  const key = model === undefined ? "pricing.default" : `pricing.${model} or pricing.default`;
  throw unknownCost([
    tells === "tokens"
      ? `the model that analyses (${name}): it tells tokens but no cost; ${key} is missing`
      : `the model that analyses (${name}): it tells neither cost nor tokens; no price can help`,
  ]);
}

const remedies = {
  session: "Go on with more in all: `RALPH_BUDGET_USD=USD ralph autopilot --resume`.",
  day: "Go on after 00:00 UTC with `ralph autopilot --resume`, or raise `limits.budget_usd_per_day` on the base branch and start again with `ralph autopilot`.",
};

const budgetReached = ({ of, message }: { of: keyof typeof remedies; message: string }) =>
  new RalphError("budget", { message: `${message}; no question is asked.`, remedy: remedies[of] });

const costNotReported = ({ name }: Model) =>
  new RalphError("budget", {
    message: `${name} told no cost, so the budget cannot be kept; nothing more is asked.`,
    remedy:
      "Choose another `autopilot.analysis.provider`, or remove the budget, then start again with `ralph autopilot`.",
  });
