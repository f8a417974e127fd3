import type * as z from "zod";
import { RalphError } from "../error.ts";
import type { Environment } from "../platform/system.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { ModelName } from "../schema/base/fields.ts";
import { Count } from "../schema/base/option-values.ts";
import {
  type AgentRole,
  type AgentSettings,
  AgentTimeout,
  agentRoles,
} from "../schema/config/agents.ts";
import type { Config } from "../schema/config/config.ts";
import { Limits } from "../schema/config/limits.ts";
import type { RunOptions } from "../schema/config/run-options.ts";
import { forUntrustedInput } from "./untrusted-input.ts";

/** Options that override the configuration, validated by the entry point. */
export type Flags = Pick<
  RunOptions,
  | "modelImpl"
  | "modelTest"
  | "modelReview"
  | "agent"
  | "timeout"
  | "maxIterations"
  | "parallel"
  | "budget"
  | "sandbox"
  | "untrusted"
  | "baseBranch"
>;

export type Overrides = {
  flags: Flags;
  env: Environment;
};

/**
 * The configuration with overrides: flag > environment > file > default (compatibility 1.15). One error names all invalid
 * variables. An empty variable counts as unset.
 */
export function applyOverrides(config: Config, overrides: Overrides): Config {
  const results = table.map((override) => override(overrides));
  const messages = results.flatMap((result) => (result.kind === "invalid" ? result.messages : []));
  if (messages.length > 0) {
    throw new RalphError("config", {
      message: messages.join("\n"),
      remedy: "Correct or remove these environment variables.",
    });
  }
  return results.reduce(
    (changed, result) => (result.kind === "valid" ? result.change(changed) : changed),
    config,
  );
}

type Change = (config: Config) => Config;
type OverrideResult =
  | { kind: "unset" }
  | { kind: "invalid"; messages: string[] }
  | { kind: "valid"; change: Change };
type Override = (overrides: Overrides) => OverrideResult;

/** An override by a flag. */
const flag =
  <Name extends keyof Flags>(
    name: Name,
    change: (value: NonNullable<Flags[Name]>) => Change,
  ): Override =>
  ({ flags }) => {
    const value = flags[name] ?? undefined;
    return value === undefined ? { kind: "unset" } : { kind: "valid", change: change(value) };
  };

/** An override by a variable, with its format. */
const variable =
  <Value>(name: string, schema: z.ZodType<Value>, change: (value: Value) => Change): Override =>
  ({ env }) => {
    const text = env[name];
    if (!text) return { kind: "unset" };
    const checked = checkShape(schema, text);
    if (checked.kind === "valid") return { kind: "valid", change: change(checked.data) };
    const messages = checked.findings.map(({ message }) => `${name}=${text} ${message}.`);
    return { kind: "invalid", messages };
  };

/** The first of the two that is set: a flag hides the variable, which is then not even checked. */
const either =
  (first: Override, second: Override): Override =>
  (overrides) => {
    const result = first(overrides);
    return result.kind === "unset" ? second(overrides) : result;
  };

const modelOf = (role: AgentRole) => (model: string) => withAgents([role], { model });
const withIterations = (max_iterations: number) => withLimits({ max_iterations });

const table: readonly Override[] = [
  either(
    flag("modelImpl", modelOf("implementation")),
    variable("RALPH_IMPL_MODEL", ModelName, modelOf("implementation")),
  ),
  either(
    flag("modelTest", modelOf("test_writing")),
    variable("RALPH_TEST_MODEL", ModelName, modelOf("test_writing")),
  ),
  either(
    flag("modelReview", modelOf("review")),
    variable("RALPH_REVIEW_MODEL", ModelName, modelOf("review")),
  ),
  variable("RALPH_FIX_MODEL", ModelName, modelOf("fix")),
  variable("RALPH_PLANNING_MODEL", ModelName, modelOf("planning")),
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
