import { expect, test } from "vitest";
import { autopilotRecord, recordPath } from "../../../src/autopilot/run/record.ts";
import { RalphError } from "../../../src/error.ts";
import { checkRunRecord } from "../../../src/schema/session-files/check-run-record.ts";
import { reportedRun } from "../../views/pull-request/reported-run.ts";

const begun = {
  runId: "20260125-143052-a7b3c9",
  startedAt: "2026-01-25T14:30:52.000Z",
  facts: {
    report_path: "reports/a.md",
    report_sha256: "a".repeat(64),
    item: "Login",
    item_fingerprint: "ab",
  },
} as const;

test("a run that is under way has a record with its phase", () => {
  const record = autopilotRecord({ ...begun, phase: "planning" });
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
  const record = autopilotRecord({ ...begun, phase: "analyzing", failure });
  expect(record).toMatchObject({ status, phase, stop_reason: reason, failure_reason: "It broke." });
  expect(checkRunRecord(record).findings).toEqual([]);
});

test("a session's figures stand in the record of its run, under the run's own id", () => {
  const state = reportedRun;
  const record = autopilotRecord({ ...begun, phase: "completed", state });
  expect(record.run_id).toBe(begun.runId);
  expect(record.session_id).toBe(state.session.session_id);
  expect(record.tasks_total).toBeGreaterThan(0);
  expect(record.started_at).toBe(begun.startedAt);
});
