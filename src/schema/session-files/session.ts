import * as z from "zod";
import { SessionId, SessionToken, Timestamp } from "../base/fields.ts";

/** The four statuses that every reader of session files knows (compatibility 1.2). */
export const sessionStatuses = ["running", "completed", "failed", "aborted"] as const;

/** `session.json` (specs 004 4.4, compatibility 1.2). Empty values are omitted, never null. */
export const SessionFile = z
  .strictObject({
    session_id: SessionId.describe("Start time (UTC) and random digits"),
    session_token: SessionToken.describe(
      "Names the session; each agent call gets a token of its own",
    ),
    started_at: Timestamp.describe("When the session started"),
    ended_at: Timestamp.optional().describe("When it ended"),
    task_source: z.string().min(1).describe("The task list, relative to the project root"),
    task_source_type: z.enum(["prd_json", "cr_markdown"]).describe("Format of the task list"),
    config_path: z.string().optional().describe("The configuration, relative to the project root"),
    git_branch: z.string().optional().describe("Branch the session works on"),
    git_commit: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, "must be a commit id of 7 or more digits")
      .optional()
      .describe("Commit the session started from"),
    status: z.enum(sessionStatuses).describe("Status of the session"),
    current_task: z.string().optional().describe("Current task"),
    completed_tasks: z.array(z.string()).optional().describe("Tasks passed in this session"),
    pending_tasks: z
      .array(z.string())
      .optional()
      .describe("Tasks that have not passed, including the current one"),
    total_iterations: z.int().min(0).optional().describe("Iterations of all tasks so far"),
    failure_reason: z.string().optional().describe("Why the session did not complete"),
  })
  .meta({ title: "Session", description: "State of one run, .ralph-session/session.json" });
export type SessionFile = z.infer<typeof SessionFile>;
