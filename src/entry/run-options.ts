import { RalphError } from "../error.ts";
import type { Environment } from "../platform/system.ts";
import { durationSchema } from "../schema/base/duration.ts";
import type { GateChoice } from "../schema/config/gates.ts";
import type { Choices } from "../session/loop/policy-of.ts";
import type { Flags } from "../sources/config-overrides.ts";

/** What a door asks of a run: options of `ralph run` as they are typed, and inputs of the action. */
export type RunOptions = {
  prdJson?: string | undefined;
  cr?: string | undefined;
  latestCr?: boolean | undefined;
  task?: string | undefined;
  fromTask?: string | undefined;
  maxIterations?: string | undefined;
  postVerify?: boolean | undefined;
  uiVerify?: boolean | undefined;
  robotVerify?: boolean | undefined;
  gates?: GateChoice | undefined;
  modelImpl?: string | undefined;
  modelTest?: string | undefined;
  modelReview?: string | undefined;
  agent?: string | undefined;
  timeout?: string | undefined;
  env?: string | undefined;
  parallel?: string | undefined;
  budget?: string | undefined;
  maxRuntime?: string | undefined;
  keepGoing?: boolean | undefined;
  resume?: string | boolean | undefined;
  dryRun?: boolean | undefined;
  /** Only in a job: whether agents and gates are shut in, where pull requests go, and the minutes the job may take. */
  sandbox?: string | undefined;
  baseBranch?: string | undefined;
  jobMinutes?: number | undefined;
};

/** Options that are understood, and what they ask for is not there yet: exit 1 instead of a silent no (design 7). */
const later: { isAsked: (options: RunOptions) => boolean; name: string; what: string }[] = [
  {
    isAsked: ({ postVerify }) => postVerify === true,
    name: "--post-verify",
    what: "Verification after the last task",
  },
  {
    isAsked: ({ uiVerify }) => uiVerify === true,
    name: "--ui-verify",
    what: "Browser verification",
  },
  {
    isAsked: ({ robotVerify }) => robotVerify === true,
    name: "--robot-verify",
    what: "Robot Framework verification",
  },
  {
    isAsked: ({ env }) => env !== undefined,
    name: "--env",
    what: "Choosing how services are started",
  },
];

export function refuseLaterOptions(options: RunOptions): void {
  const asked = later.filter(({ isAsked }) => isAsked(options));
  if (asked.length === 0) return;
  throw new RalphError("config", {
    message: asked.map(({ name, what }) => `${what} (${name}) is not available yet.`).join("\n"),
    remedy: `Run again without ${asked.map(({ name }) => name).join(" and ")}.`,
  });
}

/** What the options change in the configuration (flag > environment > file > default). */
export function flagsOf(options: RunOptions, env: Environment): Flags {
  const { modelImpl, modelTest, modelReview, agent, maxIterations, timeout, sandbox } = options;
  const { parallel, baseBranch } = options;
  const budget = budgetOf(options, env);
  return {
    ...(modelImpl !== undefined && { modelImpl }),
    ...(modelTest !== undefined && { modelTest }),
    ...(modelReview !== undefined && { modelReview }),
    ...(agent !== undefined && { agent }),
    ...(maxIterations !== undefined && {
      maxIterations: wholeNumber("--max-iterations", maxIterations),
    }),
    ...(parallel !== undefined && { parallel: wholeNumber("--parallel", parallel) }),
    ...(timeout !== undefined && { timeout: seconds("--timeout", timeout) }),
    ...(budget !== undefined && { budget }),
    ...(sandbox !== undefined && { sandbox }),
    ...(baseBranch !== undefined && { baseBranch }),
  };
}

/** `--budget`, else RALPH_BUDGET_USD; empty is the same as not given. */
function budgetOf({ budget }: RunOptions, env: Environment): string | undefined {
  if (budget) return amount("--budget", budget);
  return env.RALPH_BUDGET_USD ? amount("RALPH_BUDGET_USD", env.RALPH_BUDGET_USD) : undefined;
}

/** A job of GitHub Actions is killed after six hours when its workflow says nothing else. */
const actionsMinutes = 360;

/** A tenth of the job, at most a quarter of an hour, is kept for what comes after the last task (F30). */
export function lastStart(jobMinutes: number): number {
  return jobMinutes - Math.min(15, jobMinutes / 10);
}

export function choicesOf(
  options: RunOptions,
  given: { now: number; env: Environment; maxRuntime: number | null },
): Choices {
  const { now, env } = given;
  const own =
    options.maxRuntime === undefined
      ? given.maxRuntime
      : seconds("--max-runtime", options.maxRuntime);
  const jobMinutes =
    options.jobMinutes ?? (env.GITHUB_ACTIONS === "true" ? actionsMinutes : undefined);
  return {
    ...(options.gates && { gates: options.gates }),
    keepGoing: options.keepGoing ?? false,
    deadlines: [
      ...(own === null ? [] : [{ at: now + own * 1000, reason: "max_runtime" as const }]),
      ...(jobMinutes === undefined
        ? []
        : [{ at: now + lastStart(jobMinutes) * 60_000, reason: "checkpoint" as const }]),
    ],
  };
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RalphError("config", {
    message: `${name} must be a whole number from 1 on, not "${text}".`,
    remedy: `For example: ${name} 10`,
  });
}

function amount(name: string, text: string): string {
  if (/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return text;
  const isOption = name.startsWith("-");
  throw new RalphError("config", {
    message: `${name} must be an amount in US dollars, not "${text}".`,
    remedy: `For example: ${name}${isOption ? " " : "="}2.50; 0 means that nothing may be spent.`,
  });
}

function seconds(name: string, text: string): number {
  const value = durationSchema({ min: 1, max: 30 * 24 * 3600 }).safeParse(text);
  if (value.success) return value.data;
  throw new RalphError("config", {
    message: `${name} must be a duration, not "${text}".`,
    remedy: `Give seconds, or for example: ${name} 90s, ${name} 30m, ${name} 2h`,
  });
}
