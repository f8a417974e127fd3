import * as z from "zod";
import { Timestamp } from "../base/fields.ts";

const log = z.string().optional();

const Entry = z.looseObject({
  passes: z.boolean().describe("Whether the task has passed"),
  started_at: Timestamp.optional().describe("When its first iteration started"),
  completed_at: Timestamp.optional().describe("When it passed"),
  iterations: z.int().min(0).optional().describe("Iterations it has taken"),
  last_failure: z.string().optional().describe("Why the last iteration failed"),
  agent_outputs: z
    .object({
      implementation: log.describe("Log of the implementation agent"),
      test_writing: log.describe("Log of the test-writing agent"),
      review: log.describe("Log of the review agent"),
    })
    .optional()
    .describe("Paths of agent logs"),
});

/** `task-status.json` (specs 004 4.5, compatibility 1.3). Other tools may add further keys to a task. */
export const TaskStatusFile = z
  .strictObject({
    checksum: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, 'must be "sha256:" and 64 hexadecimal digits')
      .describe("sha256 of the canonical form of everything else in this file"),
    last_updated: Timestamp.describe("When a task last changed"),
    tasks: z.record(z.string(), Entry).describe("Status of each task, by id"),
  })
  .meta({ title: "Task status", description: "Task status, .ralph-session/task-status.json" });
export type TaskStatusFile = z.infer<typeof TaskStatusFile>;
