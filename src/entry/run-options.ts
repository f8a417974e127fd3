import { RalphError } from "../error.ts";
import type { Environment } from "../platform/system.ts";
import { checkShape } from "../schema/base/check-shape.ts";
import { UsdAmount } from "../schema/base/fields.ts";
import type { RunOptions } from "../schema/config/run-options.ts";
import type { Choices } from "../session/loop/policy-of.ts";

/** Minutes after which GitHub kills a job whose workflow sets no limit. */
export const defaultJobMinutes = 360;

/** The options, completed by RALPH_BUDGET_USD, RALPH_DRY_RUN, and the time limit of a GitHub job. */
export function withEnvironment(options: RunOptions, env: Environment): RunOptions {
  return {
    ...options,
    budget: options.budget ?? budgetIn(env),
    dryRun: options.dryRun || env.RALPH_DRY_RUN === "1",
    jobMinutes:
      options.jobMinutes ?? (env.GITHUB_ACTIONS === "true" ? defaultJobMinutes : undefined),
  };
}

function budgetIn({ RALPH_BUDGET_USD: amount }: Environment): number | undefined {
  if (!amount) return undefined;
  const checked = checkShape(UsdAmount, amount);
  if (checked.kind === "valid") return checked.data;
  const [problem] = checked.findings;
  throw new RalphError("config", {
    message: `RALPH_BUDGET_USD=${amount} ${problem?.message}.`,
    remedy: "Correct or remove this environment variable; 0 allows no spending.",
  });
}

/** A tenth of the job, at most a quarter of an hour, is kept for what comes after the last task (F30). */
const lastStart = (jobMinutes: number) => jobMinutes - Math.min(15, jobMinutes / 10);

/** The choices of a run for its session; `maxRuntime` is the configuration's, in seconds, and `now` the time in ms. */
export function choicesOf(
  { gates, keepGoing = false, maxRuntime, jobMinutes, ...options }: RunOptions,
  given: { now: number; maxRuntime: number | null },
): Choices {
  const { now } = given;
  const seconds = maxRuntime ?? given.maxRuntime;
  return {
    ...(gates && { gates }),
    keepGoing,
    env: options.env,
    postVerify: options.postVerify,
    uiVerify: options.uiVerify,
    robotVerify: options.robotVerify,
    fix: options.fix,
    deadlines: [
      ...(seconds === null ? [] : [{ at: now + seconds * 1000, reason: "max_runtime" as const }]),
      ...(jobMinutes === undefined
        ? []
        : [{ at: now + lastStart(jobMinutes) * 60_000, reason: "checkpoint" as const }]),
    ],
  };
}
