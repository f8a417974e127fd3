import { type Budgets, noBudgets, reachedBound } from "../../core/decide/budget.ts";
import { priced, priceOf } from "../../core/decide/price.ts";
import type { Usage } from "../../core/state/measurement.ts";
import { addUsage } from "../../core/state/usage.ts";
import { RalphError } from "../../error.ts";
import type { SessionStore } from "../../journal/session-store.ts";
import type { Clock } from "../../platform/system.ts";
import type { Config } from "../../schema/config/config.ts";
import { addSpending, spentByOthers } from "../../session/loop/day-spending.ts";
import { budgetsOf } from "../../session/loop/policy-of.ts";
import { unknownCost } from "../../session/open/check-agents.ts";
import type { Model } from "./model.ts";

/** How many questions were asked, their usage, and the model. */
export type QuestionUsage = { calls: number; usage: Usage; by?: string | undefined };

/** Counts a run's spending on questions against the session's budget and the day's. */
export interface SpendTracker {
  /** Ends the run when the budget is spent (exit 21). */
  requireLeft: () => Promise<void>;
  /** Adds the usage of one question. Its cost is on the disk when this returns. */
  add: (usage: Usage) => Promise<void>;
  asked: () => QuestionUsage;
}

type SpendTrackerParts = {
  store: SessionStore;
  clock: Clock;
  config: Config;
  runId: string;
  /** Usage of the same run before it was resumed. */
  asked: QuestionUsage;
};

/** Opens a run's spend tracker. A budget that cannot be enforced is refused before anything is spent (exit 1). */
export function openSpendTracker(
  model: Model,
  { store, clock, config, runId, asked: before }: SpendTrackerParts,
): SpendTracker {
  // The budget of a task does not apply before the tasks.
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
      if (!reached) return;
      throw new RalphError("budget", {
        message: `${reached.message}; no further question is asked.`,
        remedy: remedies[reached.of],
      });
    },
    add: async (usage) => {
      const pricedUsage = priced(usage, price);
      asked = { calls: asked.calls + 1, usage: addUsage(asked.usage, pricedUsage), by: model.name };
      const { cost_usd: usd } = pricedUsage;
      if (usd) await addSpending(store, { run: runId, usd, now: clock.now() });
      if (usd !== undefined || !isLimited) return;
      throw new RalphError("budget", {
        message: `${model.name} reported no cost, so the budget cannot be enforced; no further question is asked.`,
        remedy:
          "Choose another `autopilot.analysis.provider`, or remove the budget, then start again with `ralph autopilot`.",
      });
    },
    asked: () => asked,
  };
}

function requireKnownCost({ name, model, reportedUsage }: Model, hasPrice: boolean): void {
  if (reportedUsage === "cost" || (reportedUsage === "tokens" && hasPrice)) return;
  const key = model === undefined ? "pricing.default" : `pricing.${model} or pricing.default`;
  const reason =
    reportedUsage === "tokens"
      ? `it reports tokens but no cost, and ${key} is missing`
      : "it reports neither cost nor tokens, so no price can help";
  throw unknownCost([`the analysis model (${name}): ${reason}`]);
}

const remedies = {
  session: "Resume with a higher total: `RALPH_BUDGET_USD=USD ralph autopilot --resume`.",
  day: "Resume after 00:00 UTC with `ralph autopilot --resume`, or raise `limits.budget_usd_per_day` on the base branch and start again with `ralph autopilot`.",
};
