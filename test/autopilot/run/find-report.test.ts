import { expect, test } from "vitest";
import { forgetReport } from "../../../src/autopilot/run/find-report.ts";
import type { OwnPull } from "../../../src/github/pulls/pull.ts";
import type { RunRecordFile } from "../../../src/schema/session-files/run-record.ts";

const pull = (change: Partial<OwnPull>): OwnPull => ({
  ...{ run: "20260120-100000-abc123", item: "x", report: "other", number: 3, url: "https://g/3" },
  ...{ title: "Ralph: x", state: "merged", mergedAt: "2026-01-20T10:00:00Z", ...change },
});
const record = (report_sha256: string): RunRecordFile => ({
  ...{ run_id: "20260125-143052-a7b3c9", started_at: "2026-01-25T14:30:52Z" },
  ...{ status: "completed", report_sha256 },
});

test("for a repeated request, earlier runs of the report and all rejections are forgotten", () => {
  const known = {
    records: [record("own"), record("other")],
    digests: new Set(["own"]),
    pulls: [pull({}), pull({ number: 4, report: "own" }), pull({ number: 5, state: "rejected" })],
  };
  const { records, pulls, digests } = forgetReport(known, { sha256: "own" });
  expect(records).toEqual([record("other")]);
  expect(pulls.map(({ number }) => number)).toEqual([3]);
  // Other reports stay what they are.
  expect(digests).toBe(known.digests);
});
