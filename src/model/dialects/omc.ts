import * as z from "zod";
import type { RalphState, UltraworkState, VerificationState } from "./omc-types.ts";

/** What an agent says when it is done; `DONE` is an older form (specs 002, compatibility 4). */
export const completionPromise = "<promise>TASK_COMPLETE</promise>";
export const defaultMaxIterations = 50;
export const defaultMaxAttempts = 3;

const count = z.int().min(0);
const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "must be a time such as 2025-01-22T10:30:00Z");

/** Fields of newer versions are let through and kept. */
export const ralphState: z.ZodType<RalphState> = z.looseObject({
  active: z.boolean(),
  iteration: count,
  max_iterations: z.int().min(1),
  completion_promise: z.string(),
  started_at: time,
  prompt: z.string(),
  session_id: z.string(),
  prd_mode: z.boolean(),
  current_story_id: z.string().nullable(),
  last_activity_at: time,
});

export const ultraworkState: z.ZodType<UltraworkState> = z.looseObject({
  active: z.boolean(),
  started_at: time,
  original_prompt: z.string(),
  session_id: z.string(),
  reinforcement_count: count,
  last_checked_at: time,
});

export const verificationState: z.ZodType<VerificationState> = z.looseObject({
  pending: z.boolean(),
  original_task: z.string(),
  completion_claim: z.string(),
  verification_attempts: count,
  max_verification_attempts: z.int().min(1),
  oracle_feedback: z.string().nullable(),
  last_attempt_at: time.nullable(),
  session_id: z.string(),
});
