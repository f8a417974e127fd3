import { expect, test } from "vitest";
import { renderPath } from "../../../src/schema/base/finding.ts";
import { checkRunRecord } from "../../../src/schema/session-files/check-session-files.ts";

const record = (changes: object = {}) => ({
  run_id: "20260125-143052-a7b3c9",
  started_at: "2026-01-25T14:30:52Z",
  completed_at: "2026-01-25T16:45:00Z",
  status: "completed",
  tasks_completed: 10,
  tasks_total: 10,
  pr_created: true,
  pr_url: "https://github.com/org/repo/pull/123",
  ...changes,
});

const linesOf = (value: unknown) =>
  checkRunRecord(value).findings.map(
    ({ severity, path, message }) => `${severity}: ${renderPath(path)} ${message}`,
  );

test("a record that agrees with itself is sound", () => {
  expect(checkRunRecord(record())).toMatchObject({ data: { status: "completed" }, findings: [] });
});

test.each<[string, object, string]>([
  [
    "an end before the start",
    { completed_at: "2026-01-25T14:00:00Z" },
    "error: completed_at is earlier than started_at, which is 2026-01-25T14:30:52Z",
  ],
  [
    "more tasks than there are",
    { tasks_completed: 11 },
    "error: tasks_completed is 11, more than tasks_total, which is 10",
  ],
  [
    "a success that failed",
    { status: "failed", stop_reason: "all_done" },
    "error: status is failed although stop_reason is all_done",
  ],
  [
    "a pull request nobody opened",
    { pr_created: false },
    "error: pr_url names a pull request although pr_created is false",
  ],
  [
    "a pull request without address",
    { pr_url: undefined },
    "warning: pr_created is true, but pr_url does not say which pull request it is",
  ],
  [
    "a misspelt key",
    { stop_reson: "all_done" },
    'error: stop_reson is not a known key; did you mean "stop_reason"?',
  ],
])("%s is found", (_, changes, line) => {
  expect(linesOf(record(changes))).toEqual([line]);
});
