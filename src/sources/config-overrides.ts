import * as z from "zod";
import { RalphError } from "../error.ts";
import type { Environment } from "../platform/system.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { GitBranch, ModelName } from "../schema/base/fields.ts";
import {
  type AgentRole,
  type AgentSettings,
  AgentTimeout,
  agentRoles,
} from "../schema/config/agents.ts";
import type { Config } from "../schema/config/config.ts";
import { Limits } from "../schema/config/limits.ts";
import { Sandbox } from "../schema/config/safety.ts";

/** Options of `run` that stand above the configuration. */
const options = {
  modelImpl: "--model-impl",
  modelTest: "--model-test",
  modelReview: "--model-review",
  maxIterations: "--max-iterations",
  timeout: "--timeout",
  agent: "--agent",
  parallel: "--parallel",
  budget: "--budget",
  maxRuntime: "--max-runtime",
  sandbox: "sandbox",
  baseBranch: "base-branch",
} as const;
type FlagName = keyof typeof options;

/** Values as they were typed; durations as numbers are seconds. Empty is the same as not given. */
export type Flags = { readonly [Name in FlagName]?: string | number | undefined };

export type Overrides = {
  flags: Flags;
  env: Environment;
};

/**
 * The configuration with what flags and environment say: flag > environment > file > default (compatibility
 * 1.15). A value that does not fit is an error that names the option or variable; all are named at once.
 */
export function applyOverrides(config: Config, overrides: Overrides): Config {
  const results = table.map((override) => override(overrides));
  const messages = results.flatMap((result) => (result.kind === "invalid" ? result.messages : []));
  if (messages.length > 0) {
    throw new RalphError("config", {
      message: messages.join("\n"),
      remedy: "Correct or remove these options and environment variables.",
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

/** One row: where a value may come from, what it must look like, and what it changes. */
function override<Schema extends z.ZodType>(row: {
  flag?: FlagName;
  variable?: string;
  schema: Schema;
  change: (value: z.output<Schema>) => Change;
}): (overrides: Overrides) => OverrideResult {
  return ({ flags, env }) => {
    const candidates = [
      { name: row.flag && options[row.flag], text: row.flag && flags[row.flag] },
      { name: row.variable, text: row.variable && env[row.variable] },
    ];
    const given = candidates.find(({ text }) => text !== undefined && text !== "");
    if (!given) return { kind: "unset" };
    const checked = checkShape(row.schema, String(given.text));
    if (checked.kind === "valid") return { kind: "valid", change: row.change(checked.data) };
    return {
      kind: "invalid",
      messages: checked.findings.map(({ message }) => `${given.name}=${given.text} ${message}.`),
    };
  };
}

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);
const amount = z
  .string()
  .regex(/^\d{1,9}(?:\.\d{1,6})?$/, "must be an amount such as 2.50")
  .transform(Number);

const model = (role: AgentRole, names: { flag?: FlagName; variable: string }) =>
  override({ ...names, schema: ModelName, change: (name) => withAgents([role], { model: name }) });

const table = [
  model("implementation", { flag: "modelImpl", variable: "RALPH_IMPL_MODEL" }),
  model("test_writing", { flag: "modelTest", variable: "RALPH_TEST_MODEL" }),
  model("review", { flag: "modelReview", variable: "RALPH_REVIEW_MODEL" }),
  model("fix", { variable: "RALPH_FIX_MODEL" }),
  model("planning", { variable: "RALPH_PLANNING_MODEL" }),
  override({
    flag: "agent",
    schema: z.string(),
    change: (driver) => withAgents(agentRoles, { driver }),
  }),
  override({
    flag: "timeout",
    variable: "RALPH_CLAUDE_TIMEOUT",
    schema: AgentTimeout,
    change: withTimeout,
  }),
  override({
    flag: "maxIterations",
    variable: "RALPH_MAX_ITERATIONS",
    schema: wholeNumber.pipe(Limits.shape.max_iterations.unwrap()),
    change: (max_iterations) => withLimits({ max_iterations }),
  }),
  override({
    flag: "parallel",
    schema: wholeNumber.pipe(Limits.shape.parallel.unwrap()),
    change: (parallel) => withLimits({ parallel }),
  }),
  override({
    flag: "budget",
    schema: amount,
    change: (budget_usd) => withLimits({ budget_usd }),
  }),
  override({
    flag: "maxRuntime",
    schema: Limits.shape.max_runtime,
    change: (max_runtime) => withLimits({ max_runtime }),
  }),
  override({
    flag: "sandbox",
    schema: Sandbox.shape.mode,
    change: (mode) => (config) => ({ ...config, sandbox: { ...config.sandbox, mode } }),
  }),
  override({ flag: "baseBranch", schema: GitBranch, change: withBaseBranch }),
];

function withAgents(roles: readonly AgentRole[], settings: Partial<AgentSettings>): Change {
  return (config) => {
    const changed = roles.map((role) => [role, { ...config.agents[role], ...settings }]);
    return { ...config, agents: { ...config.agents, ...Object.fromEntries(changed) } };
  };
}

/** The branch that pull requests go to, whatever the configuration says. */
export function withBaseBranch(base_branch: string): Change {
  return (config) => ({ ...config, git: { ...config.git, base_branch } });
}

/** Whoever names a limit by hand means every call, so the roles' own limits give way. */
function withTimeout(seconds: number): Change {
  return (config) =>
    withLimits({ claude_timeout: seconds })(withAgents(agentRoles, { timeout: undefined })(config));
}

function withLimits(limits: Partial<Limits>): Change {
  return (config) => ({ ...config, limits: { ...config.limits, ...limits } });
}
