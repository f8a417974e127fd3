import * as z from "zod";
import { Timestamp } from "../base/fields.ts";

/** The published names (compatibility 1.4). Other tools write more, so readers accept any. */
export const timelineEventNames = [
  "session_start",
  "session_end",
  "task_start",
  "task_complete",
  "task_failed",
  "agent_start",
  "agent_complete",
  "agent_failed",
  "gates_run",
  "gate_pass",
  "gate_fail",
  "service_start",
  "service_ready",
  "service_failed",
  "ui_test_start",
  "ui_test_pass",
  "ui_test_fail",
  "fix_loop_start",
  "fix_loop_iteration",
  "fix_loop_end",
  "checksum_verified",
  "checksum_failed",
  "info",
  "warning",
] as const;
export type TimelineEventName = (typeof timelineEventNames)[number];

/** One line of `logs/timeline.jsonl` (specs 004 4.6). Further keys are allowed. */
export const TimelineEvent = z
  .looseObject({
    ts: Timestamp.describe("When it happened; never earlier than the line before"),
    event: z
      .string()
      .min(1)
      .describe(`What happened: ${timelineEventNames.join(", ")}, or a name from another tool`),
    session_id: z.string().optional().describe("Session it belongs to"),
    task_id: z.string().optional().describe("Task it is about"),
    role: z.string().optional().describe("Role of the agent"),
    signal: z.string().optional().describe("Signal the agent ended with"),
    gate: z.string().optional().describe("Name of the gate"),
    status: z.string().optional().describe("Result in one word"),
    duration_ms: z.int().min(0).optional().describe("How long it took, in milliseconds"),
    error: z.string().optional().describe("What went wrong"),
    details: z.record(z.string(), z.unknown()).optional().describe("Further facts"),
  })
  .meta({ title: "Timeline event", description: "One line of .ralph-session/logs/timeline.jsonl" });
export type TimelineEvent = z.infer<typeof TimelineEvent>;
