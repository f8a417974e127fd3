import * as z from "zod";
import { durationSchema } from "../base/duration.ts";
import { between } from "../base/fields.ts";
import { AgentTimeout } from "./agents.ts";

const tries = between(1, 50);
const dollars = z.number().min(0).nullable().default(null);

/** When a run stops by itself. Money in US dollars, null meaning no limit and 0 meaning nothing may be spent. */
export const Limits = z.strictObject({
  claude_timeout: AgentTimeout.prefault(1800).describe("Time limit of one agent call, in seconds"),
  max_iterations: between(1, 1000).default(30).describe("Iterations a task may take"),
  max_verification_attempts: tries.default(3).describe("Rejections in a row that fail a task"),
  max_same_failures: tries
    .default(3)
    .describe("Iterations in a row that may end with the same failure; the task is then blocked"),
  post_verify_iterations: tries
    .default(10)
    .describe(
      "Repairs of gates and services after a verification, in a run and by `ralph verify --fix`",
    ),
  ui_fix_iterations: tries.default(10).describe("The same of browser tests"),
  robot_fix_iterations: tries.default(10).describe("The same of Robot Framework tests"),
  max_runtime: durationSchema({ min: 1, max: 30 * 24 * 3600 })
    .nullable()
    .prefault(null)
    .describe("Time a session may take, in seconds. null: no limit"),
  budget_usd: dollars.describe(
    "Most cost of a session. From nine tenths of it on, no task is started",
  ),
  budget_usd_per_task: dollars.describe(
    "Most cost of one task; it is then blocked, and the others continue",
  ),
  budget_usd_per_day: dollars.describe("Most cost of all sessions of a repository in a day (UTC)"),
  max_continuations: between(0, 100).default(5).describe("Most jobs that may continue a run"),
  queue_attempts: between(1, 20).default(3).describe("Attempts the queue gives one job"),
  parallel: between(1, 32).default(1).describe("Tasks worked on at the same time"),
  open_prs: between(1, 50).default(1).describe("Most open pull requests of ralph at a time"),
  runs_per_day: between(0, 1000).default(10).describe("Runs a repository may start in a day"),
});
export type Limits = z.output<typeof Limits>;

const pause = durationSchema({ min: 1, max: 3600 });

/** The response to failures of the agent program itself (design 4). */
export const Breaker = z.strictObject({
  max_consecutive_failures: between(1, 100).default(3).describe("Failures that end the run"),
  backoff: pause.prefault(1).describe("First pause, in seconds; it doubles with each failure"),
  backoff_max: pause.prefault(60).describe("Longest pause, in seconds"),
});
export type Breaker = z.output<typeof Breaker>;
