import { expect, test } from "vitest";
import { fingerprint, isSameItem } from "../../../src/autopilot/reports/fingerprint.ts";
import {
  type PastSources,
  pastItems,
  repeatedItem,
} from "../../../src/autopilot/reports/past-work.ts";
import { growthOf, linear } from "../../support/measures/growth.ts";

const sources = (more: Partial<PastSources> = {}): PastSources => ({
  now: Date.parse("2026-01-25T12:00:00Z"),
  recentDays: 7,
  progress: "",
  records: [],
  merged: [],
  rejected: [],
  ...more,
});

test.each([
  ["Fix the login form", "Login forms fixed", true],
  ["Implement user authentication", "User authentication", true],
  ["Add dark mode", "Dark mode toggle", false],
  ["Repair the login form", "Repair the payment form", false],
  ["", "", false],
  ["Naïve cache", "naive caches", true],
])("%j and %j are the same item: %s", (one, other, expected) => {
  expect(isSameItem(one, other)).toBe(expected);
});

test("a fingerprint ignores order, case, endings and small words, and nothing else", () => {
  expect(fingerprint("Fix the login form")).toBe(fingerprint("Forms: LOGIN"));
  expect(fingerprint("login form")).not.toBe(fingerprint("login page"));
  expect(fingerprint("login form")).toMatch(/^[0-9a-f]{16}$/);
});

test("items fixed within the days count from every source; older ones do not", () => {
  const progress = [
    "## [2026-01-24 10:00:00] - T-001: Repair the login form",
    "## 2026-01-23 10:00:00 - US-002: Cache the index",
    "[2026-01-22 09:00:00] completed the retry of uploads",
    "## [2026-01-01 10:00:00] - T-001: Too old",
  ].join("\n");
  const record = {
    run_id: "20260120-000000-aa",
    started_at: "2026-01-20T00:00:00Z",
    status: "completed",
  } as const;
  const items = pastItems(
    sources({
      progress,
      records: [
        { ...record, branch_name: "ralph/add-search" },
        { ...record, item: "Sort the list", branch_name: "ralph/x" },
        { ...record, branch_name: "ralph/failed", status: "failed" },
      ],
      merged: [
        { title: "Ralph: Speed up the tests", mergedAt: "2026-01-21T00:00:00Z" },
        { title: "Ralph: Old", mergedAt: "2025-12-01T00:00:00Z" },
      ],
    }),
  );
  expect(items.map(({ item, reason }) => `${item}: ${reason}`)).toEqual([
    "Repair the login form: fixed on 2026-01-24 (progress log)",
    "Cache the index: fixed on 2026-01-23 (progress log)",
    "completed the retry of uploads: fixed on 2026-01-22 (progress log)",
    "add search: fixed on 2026-01-20 (run 20260120-000000-aa)",
    "Sort the list: fixed on 2026-01-20 (run 20260120-000000-aa)",
    "Speed up the tests: fixed on 2026-01-21 (merged pull request)",
  ]);
});

test("a rejection counts forever, even if only its fingerprint is known", () => {
  const rejected = [{ item: "", fingerprint: fingerprint("Dark mode"), reason: "closed by ada" }];
  const past = pastItems(sources({ rejected }));
  expect(repeatedItem("Add a dark mode", past)?.reason).toBe("closed by ada");
  expect(repeatedItem("Add a light mode", past)).toBeUndefined();
});

test("a log of one heading of a MiB is read in linear time", () => {
  const read = (size: number) => {
    const entries = "## [2026-01-24 10:00:00] - T-001: x\n".repeat(size);
    return pastItems(sources({ progress: entries + "[2026-01-24 10:00:00]".repeat(size) }));
  };
  expect(growthOf(read, 2000)).toBeLessThan(linear);
});
