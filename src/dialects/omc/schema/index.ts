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
    completion_promise: z.string().describe("The text with which an agent says that it is done"),
    started_at: time.describe("When it started"),
    prompt: z.string().describe("The request"),
    session_id: z.string().describe("The session it belongs to"),
    prd_mode: z.boolean().describe("Whether it works through a task list"),
    current_story_id: z.string().nullable().describe("The task it works on"),
    last_activity_at: time.describe("When it was last active"),
  })
  .meta({ title: "OMC ralph state", description: "A run of the loop, .omc/ralph-state.json" });

export const ultraworkState: z.ZodType<UltraworkState> = z
  .looseObject({
    active: z.boolean().describe("Whether it is at work"),
    started_at: time.describe("When it started"),
    original_prompt: z.string().describe("The request"),
    session_id: z.string().describe("The session it belongs to"),
    reinforcement_count: count.describe("How often the agent was made to continue"),
    last_checked_at: time.describe("When this was last checked"),
  })
  .meta({ title: "OMC ultrawork state", description: "A mode of omc, .omc/ultrawork-state.json" });

export const verificationState: z.ZodType<VerificationState> = z
  .looseObject({
    pending: z.boolean().describe("False only once it was approved"),
    original_task: z.string().describe("The request"),
    completion_claim: z.string().describe("The agent's account of its work"),
    verification_attempts: count.describe("Attempts so far"),
    max_verification_attempts: z.int().min(1).describe("Attempts it may take"),
    oracle_feedback: z.string().nullable().describe("The answer of the last review"),
    last_attempt_at: time.nullable().describe("When it was made"),
    session_id: z.string().describe("The session it belongs to"),
  })
  .meta({
    title: "OMC verification",
    description: "A claim in review, .omc/ralph-verification.json",
  });
