import { expect, test } from "vitest";
import type { AutopilotRun } from "../../../src/autopilot/run/autopilot-run.ts";
import { autopilotRecord, recordPath } from "../../../src/autopilot/run/run-store.ts";
import { RalphError } from "../../../src/error.ts";
import { checkRunRecord } from "../../../src/schema/session-files/check-session-files.ts";
import { reportedRun } from "../../views/pull-request/reported-run.ts";

const run: AutopilotRun = {
  run_id: "20260125-143052-a7b3c9",
  started_at: "2026-01-25T14:30:52.000Z",
  base: "c".repeat(40),
  task_path: ".ralph/prd.json",
  report: { path: "reports/a.md", text: "Login fails.", sha256: "a".repeat(64), kind: "file" },
  untrusted: false,
  requested: { document: "with", mode: "autonomous", pull: true },
  ...{ approved: false, completed: false, asked: { calls: 0, usage: {} } },
};

test("the record of an unfinished run has its phase", () => {
  const record = autopilotRecord(run, { phase: "planning" });
  expect(record).toMatchObject({
    status: "running",
    phase: "planning",
    report_path: "reports/a.md",
  });
  expect(checkRunRecord(record).findings).toEqual([]);
  expect(recordPath(record.run_id)).toBe(".ralph/autopilot/runs/20260125-143052-a7b3c9.json");
});

test.each([
  ["analysis", "failed", "failed"],
  ["cancelled", "aborted", "aborted"],
] as const)("a run that ends with %s is %s", (reason, status, phase) => {
  const error = new RalphError(reason, { message: "It broke.", remedy: "Mend it." });
  const failure = { at: "2026-01-25T14:31:00.000Z", error };
  const record = autopilotRecord(run, { phase: "analyzing", failure });
  expect(record).toMatchObject({ status, phase, stop_reason: reason, failure_reason: "It broke." });
  expect(checkRunRecord(record).findings).toEqual([]);
});

test("the record of a run holds its session's figures under the run's own id", () => {
  const state = reportedRun;
  const record = autopilotRecord(run, { phase: "completed", state });
  expect(record.run_id).toBe(run.run_id);
  expect(record.session_id).toBe(state.session.session_id);
  expect(record.tasks_total).toBeGreaterThan(0);
  expect(record.started_at).toBe(run.started_at);
});
