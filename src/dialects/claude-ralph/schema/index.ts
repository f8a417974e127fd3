import * as z from "zod";
import { control, pattern, Timestamp } from "../../../schema/base/fields.ts";

const word = pattern(String.raw`^(?!.*\.\.)[^\s\/\\${control}]{1,200}$`);
const wordRule = 'must be one word without "/" and without ".."';
const PlanId = z.string().regex(word, wordRule).describe("The plan: the branch, as one word");
const TaskId = z.string().regex(word, wordRule);
const AgentId = z
  .string()
  .regex(/^agent-[1-9]\d{0,5}$/, 'must be "agent-" and a number, such as "agent-1"');

const count = z.int().min(0);
const dollars = z.number().min(0);
const time = Timestamp.nullable();

export const claudeRalphStatuses = ["pending", "claimed", "done", "failed"] as const;

const QueueTask = z.looseObject({
  id: TaskId.describe("Unique within the plan"),
  description: z.string().describe("The work, for people and agents"),
  status: z.enum(claudeRalphStatuses).describe("Its status"),
  claimed_by: AgentId.nullable().describe("The agent that claimed it last"),
  retries: count.describe("Tries after the first one"),
  dependencies: z.array(TaskId).describe("Tasks that must be done before"),
  created_at: Timestamp.describe("When it was put into the queue"),
  claimed_at: time.describe("When it was claimed"),
  completed_at: time.describe("When it was done or failed"),
});

/** `task-queue-{plan}.json` (specs 001). Unknown fields are kept. */
export const ClaudeRalphQueue = z
  .looseObject({
    tasks: z.array(QueueTask).describe("All tasks, in the order of work"),
    created_at: Timestamp.describe("When the plan was started"),
    plan_id: PlanId,
  })
  .meta({ title: "Task queue", description: "Tasks of one plan, .claude/ralph/task-queue-*.json" });
export type ClaudeRalphQueue = z.infer<typeof ClaudeRalphQueue>;
export type ClaudeRalphTask = ClaudeRalphQueue["tasks"][number];

/** `retry-queue-{plan}.json`: failed tasks that may be retried. */
export const ClaudeRalphRetries = z
  .looseObject({
    retries: z
      .array(
        z.looseObject({
          task_id: TaskId.describe("Task of the queue"),
          agent_id: AgentId.describe("The agent that failed"),
          attempt: z.int().min(1).describe("Which attempt failed, from 1"),
          error: z.string().describe("The reason"),
          queued_at: Timestamp.describe("When it failed"),
          max_retries: z.int().min(1).describe("Attempts in all; the last one is not tried again"),
        }),
      )
      .describe("Failed tasks that may be tried again"),
    plan_id: PlanId,
  })
  .meta({ title: "Retry queue", description: "Failed tasks, .claude/ralph/retry-queue-*.json" });
export type ClaudeRalphRetries = z.infer<typeof ClaudeRalphRetries>;

/** `progress-{plan}.json`: progress and cost of a plan. */
export const ClaudeRalphProgress = z
  .looseObject({
    plan_id: PlanId,
    phase: z
      .enum(["implementation", "verify_fix", "review"])
      .describe("The current phase of the work"),
    agents_total: count.describe("Agents that work, or may"),
    agents_completed: count.describe("Agents whose last task is done"),
    agents_failed: count.describe("Agents whose last task failed"),
    agents_active: count.describe("Agents at work"),
    total_cost_usd: dollars.describe("The cost of all agents"),
    budget_limit_usd: dollars.nullable().describe("Their limit; null: no limit, 0: nothing"),
    started_at: Timestamp.describe("When the plan was started"),
    updated_at: Timestamp.describe("When a figure last changed"),
    performance: z
      .looseObject({
        avg_cost_per_agent: dollars.describe("The cost of an agent"),
        avg_turns_per_agent: z.number().min(0).describe("Turns an agent took"),
        avg_duration_seconds: z.number().min(0).describe("How long an agent worked"),
        total_turns: count.describe("Turns of all agents"),
      })
      .describe("Averages of the agents that have completed; turns of all"),
    agents: z
      .array(
        z.looseObject({
          id: AgentId.describe("Its name"),
          status: z.enum(["active", "completed", "failed", "budget"]).describe("Its status"),
          task_id: TaskId.nullable().describe("The task it works on, or its last one"),
          cost_usd: dollars.describe("Its cost"),
          num_turns: count.describe("Turns it took"),
          duration_seconds: z.number().min(0).describe("How long it has worked"),
          started_at: Timestamp.describe("When it began"),
          completed_at: time.describe("When it ended; null while it works"),
        }),
      )
      .describe("Every agent of the plan"),
  })
  .meta({ title: "Progress", description: "Figures of one plan, .claude/ralph/progress-*.json" });
export type ClaudeRalphProgress = z.infer<typeof ClaudeRalphProgress>;

/** `agent-state-{agent}.json`: the state of an agent, for its successor. */
export const ClaudeRalphAgent = z
  .looseObject({
    agent_id: AgentId.describe("Its name"),
    plan_id: PlanId,
    task_id: TaskId.nullable().describe("The task it works on, or its last one"),
    status: z
      .enum(["initializing", "working", "completed", "failed", "budget"])
      .describe("The last one is read, not written"),
    last_checkpoint: Timestamp.describe("When it was last active"),
    context: z
      .looseObject({
        files_modified: z.array(z.string()).describe("Files it has changed"),
        commits_made: z.array(z.string()).describe("Commits it has made"),
        notes: z.string().describe("Its next step"),
      })
      .describe("Notes for the next worker"),
  })
  .meta({ title: "Agent state", description: "One agent, .claude/ralph/agent-state-*.json" });
export type ClaudeRalphAgent = z.infer<typeof ClaudeRalphAgent>;
