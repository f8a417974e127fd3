import * as z from "zod";
import type { RalphState, UltraworkState, VerificationState } from "./types.ts";

/** The text that an agent prints when it is done; `DONE` is an older form (specs 002, compatibility 4). */
export const completionPromise = "<promise>TASK_COMPLETE</promise>";
export const defaultMaxIterations = 50;
export const defaultMaxAttempts = 3;

export const count = z.int().min(0);

/** Any parsable time. */
export const time = z
  .string()
  .refine((text) => !Number.isNaN(Date.parse(text)), "must be a time such as 2025-01-22T10:30:00Z");

/** Fields of newer versions are accepted and kept. */
export const ralphState: z.ZodType<RalphState> = z
  .looseObject({
    active: z.boolean().describe("Whether it is at work"),
    iteration: count.describe("Iterations so far"),
    max_iterations: z.int().min(1).describe("Iterations it may take"),
    completion_promise: z.string().describe("What an agent must say to be done"),
    started_at: time.describe("When it started"),
    prompt: z.string().describe("What was asked for"),
    session_id: z.string().describe("The session it belongs to"),
    prd_mode: z.boolean().describe("Whether it works through a task list"),
    current_story_id: z.string().nullable().describe("The task it works on"),
    last_activity_at: time.describe("When it last gave a sign"),
  })
  .meta({ title: "OMC ralph state", description: "A run of the loop, .omc/ralph-state.json" });

export const ultraworkState: z.ZodType<UltraworkState> = z
  .looseObject({
    active: z.boolean().describe("Whether it is at work"),
    started_at: time.describe("When it started"),
    original_prompt: z.string().describe("What was asked for"),
    session_id: z.string().describe("The session it belongs to"),
    reinforcement_count: count.describe("How often an agent was sent on"),
    last_checked_at: time.describe("When that was looked at last"),
  })
  .meta({ title: "OMC ultrawork state", description: "A mode of omc, .omc/ultrawork-state.json" });

export const verificationState: z.ZodType<VerificationState> = z
  .looseObject({
    pending: z.boolean().describe("False only once it was approved"),
    original_task: z.string().describe("What was asked for"),
    completion_claim: z.string().describe("What the agent says it has done"),
    verification_attempts: count.describe("Attempts so far"),
    max_verification_attempts: z.int().min(1).describe("Attempts it may take"),
    oracle_feedback: z.string().nullable().describe("What the last review said"),
    last_attempt_at: time.nullable().describe("When that was"),
    session_id: z.string().describe("The session it belongs to"),
  })
  .meta({
    title: "OMC verification",
    description: "A claim in review, .omc/ralph-verification.json",
  });
