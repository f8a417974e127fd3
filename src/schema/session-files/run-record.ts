import * as z from "zod";
import { type StopReason, stopReasons } from "../../error.ts";
import { SessionId, Timestamp, WebAddress } from "../base/fields.ts";
import { agentRoles } from "../config/agents.ts";
import { sessionStatuses } from "./session.ts";

/** The steps of an autopilot run (compatibility 1.21). */
const runPhases = [
  "pending",
  "analyzing",
  "branching",
  "planning",
  "executing",
  "verifying",
  "pushing",
  "completed",
  "failed",
  "aborted",
] as const;

const path = z.string().min(1).optional();
const count = z.int().min(0).optional();
const cost = z.number().min(0).optional();

const RoleUsage = z.strictObject({
  calls: z.int().min(0).describe("Calls that have ended"),
  cost_usd: cost.describe("Their cost in US dollars, as far as it is known"),
  turns: count.describe("Turns the agents took"),
  input_tokens: count.describe("Input tokens, including those from a cache"),
  cached_input_tokens: count.describe("How many of them came from a cache"),
  output_tokens: count.describe("Output tokens"),
});

/** The result of a run (specs 004 10.4). Facts beyond the four published statuses are in optional keys of ralph's own. */
export const RunRecordFile = z
  .strictObject({
    run_id: SessionId.describe("Start time (UTC) and random digits; not the session's id"),
    started_at: Timestamp.describe("When the run started"),
    completed_at: Timestamp.optional().describe("When it ended"),
    status: z.enum(sessionStatuses).describe("How it ended"),
    phase: z.enum(runPhases).optional().describe("Step it is in, or ended in"),
    stop_reason: z
      .enum(Object.keys(stopReasons) as [StopReason])
      .optional()
      .describe("Why it ended; the exit code follows from it"),
    failure_reason: z.string().optional().describe("Why it did not complete, as text"),
    report_path: path.describe("Report it started from"),
    report_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be 64 hexadecimal digits")
      .optional()
      .describe("Digest of the report, which identifies it under another name"),
    item: z.string().optional().describe("The item of the report that was chosen"),
    item_fingerprint: z.string().optional().describe("Identifies the item in later runs"),
    analysis_path: path.describe("Path of the analysis"),
    prd_path: path.describe("Path of the requirements document"),
    tasks_path: path.describe("Path of the task list"),
    branch_name: z.string().optional().describe("Branch of the work"),
    base_commit: z.string().optional().describe("Commit the branch started from"),
    session_id: SessionId.optional().describe("Session that worked through the tasks"),
    tasks_completed: count.describe("Tasks that have passed"),
    tasks_total: count.describe("Tasks in the list"),
    pr_created: z.boolean().optional().describe("Whether a pull request was opened"),
    pr_url: WebAddress.optional().describe("The pull request"),
    iterations: count.describe("Iterations of all tasks"),
    duration_ms: z.number().min(0).optional().describe("How long it took, in milliseconds"),
    cost_usd: cost.describe("Cost of the agents, in US dollars"),
    usage_by_role: z
      .partialRecord(z.enum(agentRoles), RoleUsage)
      .optional()
      .describe("Usage of the agents by role"),
    verification: z
      .strictObject({
        level: z
          .enum(["services", "ui", "ui+robot", "robot"])
          .describe("What ran after the last task: the services, browser tests, Robot Framework"),
        status: z.enum(["passed", "failed"]).describe("Whether all of it was green"),
        passed: z.int().min(0).describe("User interface tests that passed"),
        failed: z.int().min(0).describe("Those that failed"),
        skipped: z.int().min(0).describe("Those that were skipped"),
        fixes: z.int().min(0).optional().describe("Commits of agents that repaired the program"),
      })
      .optional()
      .describe("The program as it ran; absent when nothing was verified"),
    proof: z
      .enum(["in_place", "clean_room"])
      .optional()
      .describe("Where the proofs were made: on the machine of the agents, or on a fresh one"),
  })
  .meta({ title: "Run record", description: "Record of one run, run-record.json" });
export type RunRecordFile = z.infer<typeof RunRecordFile>;
