import type * as z from "zod";
import { RalphError } from "../error.ts";
import type { Environment } from "../platform/system.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { Count, ModelName } from "../schema/base/fields.ts";
import {
  type AgentRole,
  type AgentSettings,
  AgentTimeout,
  agentRoles,
} from "../schema/config/agents.ts";
import type { Config } from "../schema/config/config.ts";
import { Limits } from "../schema/config/limits.ts";
import type { RunOptions } from "../schema/config/run-options.ts";

type Overrides = {
  /** Options, validated by the entry point. */
  flags: RunOptions;
  env: Environment;
};

/**
 * The configuration with overrides: flag > environment > file > default (compatibility 1.15). One error names all invalid
 * variables. An empty variable counts as unset.
 */
export function applyOverrides(config: Config, overrides: Overrides): Config {
  const invalid: string[] = [];
  const changes = table.flatMap((override) => override({ ...overrides, invalid }) ?? []);
  if (invalid.length > 0) {
    throw new RalphError("config", {
      message: invalid.join("\n"),
      remedy: "Correct or remove these environment variables.",
    });
  }
  return changes.reduce((changed, change) => change(changed), config);
}

type Change = (config: Config) => Config;
/** Undefined: not set, or invalid. */
type Override = (given: Overrides & { invalid: string[] }) => Change | undefined;

const flag =
  <Name extends keyof RunOptions>(
    name: Name,
    change: (value: NonNullable<RunOptions[Name]>) => Change,
  ): Override =>
  ({ flags }) => {
    const value = flags[name] ?? undefined;
    return value === undefined ? undefined : change(value);
  };

const variable =
  <Value>(name: string, schema: z.ZodType<Value>, change: (value: Value) => Change): Override =>
  ({ env, invalid }) => {
    const text = env[name];
    if (!text) return undefined;
    const checked = checkShape(schema, text);
    if (checked.kind === "valid") return change(checked.data);
    invalid.push(...checked.findings.map(({ message }) => `${name}=${text} ${message}.`));
    return undefined;
  };

/** The first of the two that is set: a flag hides the variable, which is then not even checked. */
const either =
  (first: Override, second: Override): Override =>
  (given) =>
    first(given) ?? second(given);

function model(role: AgentRole, name: string, option?: "modelImpl" | "modelTest" | "modelReview") {
  const change = (model: string) => withAgents([role], { model });
  const byVariable = variable(name, ModelName, change);
  return option ? either(flag(option, change), byVariable) : byVariable;
}

const withIterations = (max_iterations: number) => withLimits({ max_iterations });

const table: readonly Override[] = [
  model("implementation", "RALPH_IMPL_MODEL", "modelImpl"),
  model("test_writing", "RALPH_TEST_MODEL", "modelTest"),
  model("review", "RALPH_REVIEW_MODEL", "modelReview"),
  model("fix", "RALPH_FIX_MODEL"),
  model("planning", "RALPH_PLANNING_MODEL"),
  flag("agent", (driver) => withAgents(agentRoles, { driver })),
  either(flag("timeout", withTimeout), variable("RALPH_CLAUDE_TIMEOUT", AgentTimeout, withTimeout)),
  either(
    flag("maxIterations", withIterations),
    variable(
      "RALPH_MAX_ITERATIONS",
      Count.pipe(Limits.shape.max_iterations.unwrap()),
      withIterations,
    ),
  ),
  flag("parallel", (parallel) => withLimits({ parallel })),
  flag("budget", (budget_usd) => withLimits({ budget_usd })),
  flag("sandbox", (mode) => (config) => ({ ...config, sandbox: { ...config.sandbox, mode } })),
  // After the sandbox: it can only be required.
  flag("untrusted", () => forUntrustedInput),
  flag("baseBranch", withBaseBranch),
];

function withAgents(roles: readonly AgentRole[], settings: Partial<AgentSettings>): Change {
  return (config) => {
    const changed = roles.map((role) => [role, { ...config.agents[role], ...settings }]);
    return { ...config, agents: { ...config.agents, ...Object.fromEntries(changed) } };
  };
}

/** Overrides the branch that pull requests go to. */
export function withBaseBranch(base_branch: string): Change {
  return (config) => ({ ...config, git: { ...config.git, base_branch } });
}

/** A time limit given by hand applies to every call, so it replaces the roles' own limits. */
function withTimeout(seconds: number): Change {
  return (config) =>
    withLimits({ claude_timeout: seconds })(withAgents(agentRoles, { timeout: undefined })(config));
}

function withLimits(limits: Partial<Limits>): Change {
  return (config) => ({ ...config, limits: { ...config.limits, ...limits } });
}

/**
 * The configuration of a run whose input a stranger may have written: the sandbox is required, the network of agents and
 * gates is closed, and keys stay outside, whatever the file says (design 5).
 */
export function forUntrustedInput(config: Config): Config {
  const { network } = config.sandbox;
  const mode = network.mode === "none" ? "none" : "cage";
  return {
    ...config,
    agents: { ...config.agents, credentials: "proxied" },
    sandbox: { ...config.sandbox, mode: "required", network: { ...network, mode, gates: mode } },
  };
}
