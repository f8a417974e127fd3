import { expect, test } from "vitest";
import type * as z from "zod";
import { Analysis } from "../../../src/schema/autopilot/analysis.ts";
import { PrdFrontMatter } from "../../../src/schema/autopilot/prd-document.ts";
import { RunRecord } from "../../../src/schema/session-files/run-record.ts";
import { Session } from "../../../src/schema/session-files/session.ts";
import { TaskStatus } from "../../../src/schema/session-files/task-status.ts";
import { TimelineEvent } from "../../../src/schema/session-files/timeline-event.ts";

const session = {
  session_id: "20260125-143052-a7b3c9",
  session_token: "ralph-20260125-143052-a7b3c9f2d1e8",
  started_at: "2026-01-25T14:30:52Z",
  task_source: ".ralph/prd.json",
  task_source_type: "prd_json",
  status: "running",
};
const record = {
  run_id: "20260125-143052-a7b3c9",
  started_at: "2026-01-25T14:30:52Z",
  status: "completed",
};
const analysis = {
  priority_item: "Add login",
  description: "JWT",
  rationale: "First",
  acceptance_criteria: ["Users can log in"],
  branch_name: "ralph/add-login",
};
const event = { ts: "2026-01-25T14:31:00Z", event: "task_start" };
const status = {
  checksum: `sha256:${"a".repeat(64)}`,
  last_updated: "2026-01-25T14:45:00Z",
  tasks: { "T-001": { passes: true } },
};
const frontMatter = {
  generated_by: "ralph-autopilot",
  generated_at: "2026-01-25T14:35:00Z",
  source_analysis: ".ralph/autopilot/analysis.json",
  mode: "autonomous",
};

test.each<[string, z.ZodType, object]>([
  ["session", Session, session],
  [
    "session with everything",
    Session,
    {
      ...session,
      config_path: ".ralph/ralph.yml",
      git_branch: "x",
      git_commit: "abc123f",
      current_task: "T-002",
      completed_tasks: ["T-001"],
      pending_tasks: ["T-002"],
      ended_at: "2026-01-25T15:00:00.123456Z",
      total_iterations: 3,
      failure_reason: "x",
    },
  ],
  ["task status", TaskStatus, status],
  [
    "task status of another tool",
    TaskStatus,
    { ...status, tasks: { "T-001": { passes: false, groups: {}, iterations: 0 } } },
  ],
  ["timeline event", TimelineEvent, event],
  ["timeline event of another tool", TimelineEvent, { ...event, event: "info", extra: [1] }],
  [
    "analysis",
    Analysis,
    {
      ...analysis,
      excluded_items: [{ item: "Dark mode", reason: "Cosmetic" }],
      provider: "anthropic",
    },
  ],
  [
    "run record",
    RunRecord,
    {
      ...record,
      phase: "pushing",
      stop_reason: "all_done",
      iterations: 4,
      duration_ms: 12.5,
      cost_usd: 0,
      proof: "in_place",
    },
  ],
  [
    "run record of an autopilot",
    RunRecord,
    {
      ...record,
      completed_at: "2026-01-25T16:45:00Z",
      analysis_path: "a",
      prd_path: "b",
      tasks_path: "c",
      branch_name: "d",
      session_id: "20260125-150000-b8c4d0",
      tasks_completed: 10,
      tasks_total: 10,
      pr_created: true,
      pr_url: "https://github.com/org/repo/pull/123",
    },
  ],
  ["front matter", PrdFrontMatter, frontMatter],
])("a valid %s is read as it is", (_, schema, value) => {
  expect(schema.parse(value)).toEqual(value);
});

test.each<[string, z.ZodType, object]>([
  ["session without token", Session, { ...session, session_token: undefined }],
  [
    "session whose token is not one",
    Session,
    { ...session, session_token: "ralph-20260125-143052-XYZ" },
  ],
  ["session with a word of our own as status", Session, { ...session, status: "blocked" }],
  ["session with an unknown key", Session, { ...session, foo: 1 }],
  ["task status with a bare checksum", TaskStatus, { ...status, checksum: "a".repeat(64) }],
  ["task status without passes", TaskStatus, { ...status, tasks: { "T-001": {} } }],
  ["timeline event without time", TimelineEvent, { event: "info" }],
  [
    "analysis with eleven criteria",
    Analysis,
    { ...analysis, acceptance_criteria: Array(11).fill("x") },
  ],
  ["analysis without rationale", Analysis, { ...analysis, rationale: "" }],
  ["run record with a phase as status", RunRecord, { ...record, status: "planning" }],
  ["run record with an unknown stop reason", RunRecord, { ...record, stop_reason: "done" }],
  ["front matter without mode", PrdFrontMatter, { ...frontMatter, mode: undefined }],
])("a %s is refused", (_, schema, value) => {
  expect(schema.safeParse(value).success).toBe(false);
});
