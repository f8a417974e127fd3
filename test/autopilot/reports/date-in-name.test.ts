import { expect, test } from "vitest";
import { dateInName } from "../../../src/autopilot/reports/discover-report.ts";

test.each([
  ["weekly-review-20260120.md", "2026-01-20T00:00:00.000Z"],
  ["2026-01-20.md", "2026-01-20T00:00:00.000Z"],
  ["2026_01_20-nightly.txt", "2026-01-20T00:00:00.000Z"],
  ["report-20260120-143052.json", "2026-01-20T14:30:52.000Z"],
  ["report-2026-01-20T14-30.html", "2026-01-20T14:30:00.000Z"],
  ["report-20260120-9999.md", "2026-01-20T00:00:00.000Z"],
  ["2026-02-31.md", undefined],
  ["build-1202601201.md", undefined],
  ["version-2.0.md", undefined],
])("%s is of %s", (name, expected) => {
  const ms = dateInName(name);
  expect(ms === undefined ? undefined : new Date(ms).toISOString()).toBe(expected);
});
