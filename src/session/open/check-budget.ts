import { calledRoles } from "../../agents/call/called-agents.ts";
import { command } from "../../agents/drivers/command.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { hasBudget } from "../../core/decide/budget.ts";
import { priceOf } from "../../core/decide/price.ts";
import { RalphError } from "../../error.ts";
import { type AgentRole, settingsFor } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";
import { budgetsOf } from "../loop/policy-of.ts";

/**
 * Fails before anything is spent (exit 1) when a budget is set but the cost of some agent's calls would be unknown.
 * `further`: roles beside those of tasks.
 */
export function checkBudget(config: Config, further: readonly AgentRole[] = []): void {
  if (!hasBudget(budgetsOf(config))) return;
  const problems = [...calledRoles, ...further].flatMap((role) => problemOf(config, role) ?? []);
  if (problems.length > 0) throw unknownCost(problems);
}

/** The agents whose cost would be unknown, one per line. */
export const unknownCost = (problems: readonly string[]) =>
  new RalphError("config", {
    message: `A budget is set, but the cost of these agents would be unknown:\n${problems.join("\n")}`,
    remedy:
      "Add the prices to `pricing` in .ralph/ralph.yml, choose another driver, or remove the budget (limits.budget_usd, budget_usd_per_task, budget_usd_per_day, --budget, RALPH_BUDGET_USD, a comment `/ralph budget`).",
  });

function problemOf({ agents, pricing }: Config, role: AgentRole): string | undefined {
  const { model, driver: name } = settingsFor(agents, role);
  const driver = driverNamed(name);
  const who = `agents.${role} (driver ${name}${model === undefined ? "" : `, model ${model}`})`;
  if (driver.reportsCost) return undefined;
  if (driver === command)
    return `${who}: it reports neither cost nor tokens, so a price does not help`;
  if (priceOf(pricing, model)) return undefined;
  const key = model === undefined ? "pricing.default" : `pricing.${model} or pricing.default`;
  return `${who}: it reports tokens but no cost; ${key} is missing`;
}
