import { findProgram } from "../../agents/call/agent-version.ts";
import { type CalledAgent, calledAgents, calledRoles } from "../../agents/call/called-agents.ts";
import { refuseForbidden } from "../../agents/call/environment.ts";
import { command } from "../../agents/drivers/command.ts";
import { driverNamed } from "../../agents/drivers/drivers.ts";
import { hasBudget } from "../../core/decide/budget.ts";
import { priceOf } from "../../core/decide/price.ts";
import { RalphError } from "../../error.ts";
import { isAtLeast, readGitVersion } from "../../git/repository/locate-repository.ts";
import type { System } from "../../platform/system.ts";
import { type AgentRole, settingsFor } from "../../schema/config/agents.ts";
import type { Config } from "../../schema/config/config.ts";
import { budgetsOf } from "../loop/policy-of.ts";

/** Fails before anything is written (exit 1) on an unknown driver, a missing program, or a variable that no agent may have. */
export async function checkAgents(
  system: Pick<System, "ask" | "env">,
  { config, root, roles }: { config: Config; root: string; roles?: readonly AgentRole[] },
): Promise<void> {
  refuseForbidden("agents.env", config.agents.env);
  refuseForbidden("sandbox.env", config.sandbox.env);
  const byFile = new Map(
    calledAgents(config, system.env, roles).map((agent) => [agent.file, agent]),
  );
  for (const [file, agent] of byFile) {
    const path = await findProgram(system, { file, root });
    if (path === undefined) throw missing(agent);
  }
}

function missing({ file, driver: { name, remedy } }: CalledAgent): RalphError {
  return new RalphError("config", {
    message: `The agent program \`${file}\` (driver ${name}) is not there or cannot be executed.`,
    remedy,
  });
}

/** Fails (exit 1) when a budget is set but the cost of some calls would be unknown. `further`: roles beside those of tasks. */
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

/** The first git version that merges without a work tree. */
const needed = { major: 2, minor: 38 };

/** Fails before anything is spent (exit 1) when tasks are to run in parallel and git is too old to merge them. */
export async function checkParallel(
  system: Pick<System, "ask" | "env">,
  { limits }: Pick<Config, "limits">,
): Promise<void> {
  if (limits.parallel === 1) return;
  const version = await readGitVersion(system);
  if (isAtLeast(version, needed)) return;
  throw new RalphError("config", {
    message: `Parallel tasks need git ${needed.major}.${needed.minor} or newer; this is ${version.major}.${version.minor}.`,
    remedy: "Install a current git, or leave --parallel and `limits.parallel` at 1.",
  });
}
