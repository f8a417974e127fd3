import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { RunRecordFile } from "../../../src/schema/session-files/run-record.ts";
import { runRecord } from "../../../src/views/session-files/run-record.ts";
import { task } from "../../support/builders/session.ts";
import { reportedRun } from "../pull-request/reported-run.ts";
import { realisticRun } from "./realistic-run.ts";

const record = (state = reportedRun) => JSON.parse(runRecord.render(state, { token: "" }) ?? "");

test("the record of a plain run validates and holds the figures", () => {
  expect(RunRecordFile.parse(record())).toEqual({
    run_id: "20260125-143052-a7b3c9",
    started_at: "2026-01-25T14:30:52.000Z",
    completed_at: "2026-01-25T14:31:04.000Z",
    status: "failed",
    stop_reason: "blocked",
    failure_reason: "Blocked: T-003.",
    tasks_path: ".ralph/prd.json",
    branch_name: "ralph/example",
    base_commit: "c0".repeat(20),
    session_id: "20260125-143052-a7b3c9",
    tasks_completed: 2,
    tasks_total: 4,
    iterations: 1,
    duration_ms: 12_000,
    cost_usd: 0.5,
    usage_by_role: {
      implementation: { calls: 2, cost_usd: 0.5 },
      test_writing: { calls: 1 },
      review: { calls: 1 },
    },
    proof: "in_place",
  });
});

test("a run under way has no record yet", () => {
  const running = realisticRun([task("T-001")], []);
  expect(runRecord.render(running, { token: "" })).toBe(undefined);
});

test("a run without a passed task claims no proof", () => {
  const end: Fact = { type: "session_end", reason: "blocked", message: "Blocked: T-001." };
  const ended = RunRecordFile.parse(record(realisticRun([task("T-001")], [end])));
  expect(ended).toMatchObject({ status: "failed", tasks_completed: 0 });
  expect(ended).not.toHaveProperty("proof");
});
