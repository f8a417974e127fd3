import { describe, expect, test } from "vitest";
import {
  checkFailures,
  noFailure,
  readFailures,
} from "../../../../src/dialects/agent-teams/schema/failures.ts";
import {
  coverageIn,
  readHookInput,
  teammateOf,
} from "../../../../src/dialects/agent-teams/schema/hook.ts";
import { checkMetrics, readMetrics } from "../../../../src/dialects/agent-teams/schema/metrics.ts";
import { completedFiles } from "../../../../src/dialects/agent-teams/team-counters.ts";
import type { Finding } from "../../../../src/schema/base/finding.ts";

const record = {
  consecutive_failures: 2,
  last_failure: "Gate 'test' failed: 3 tests failing",
  total_failures: 5,
  total_successes: 8,
};
const metrics = {
  tasks_completed: 8,
  tasks_failed: 2,
  tasks_pending: 5,
  gates_passed: 8,
  gates_failed: 3,
  last_updated: "2026-02-10T14:30:00Z",
};

const paths = (findings: readonly Finding[]) => findings.map(({ path }) => path.join("."));
const wrong = [-1, 1.5, "1", true, [], {}, 1e300];

describe("failures.json", () => {
  test("is read in both shapes, without remarks about the file", () => {
    const value = { a: record, b: 2, c: {}, _updated_at: "2026-02-10T14:30:00Z" };
    expect(readFailures(value)).toEqual({
      a: record,
      b: { ...noFailure, consecutive_failures: 2, total_failures: 2 },
      c: noFailure,
    });
  });

  test.each(Object.keys(record))("a wrong %s is reported at its place", (key) => {
    const values = key === "last_failure" ? [1, true, [], {}] : wrong;
    for (const value of values) {
      const file = { "mate-1": { ...record, [key]: value } };
      expect(paths(checkFailures(file))).toEqual([`mate-1.${key}`]);
      expect(readFailures(file)).toBeUndefined();
    }
  });

  test.each([[], "x", 1, null, true])("%j is not a file of counters", (value) => {
    expect(checkFailures(value)).toHaveLength(1);
    expect(checkFailures({ a: value })).toHaveLength(value === 1 ? 0 : 1);
  });

  test("consecutive failures are counted, and a success resets the count", () => {
    const after = (text: string | undefined, failure: string | undefined) => {
      const verdict = { name: "a", gatesPassed: 0, failure, pending: 0, now: "" };
      const [file] = completedFiles(verdict).files;
      return file && "merge" in file ? (file.merge(text) ?? undefined) : undefined;
    };
    const teammate = (text = "{}") => readFailures(JSON.parse(text))?.a;
    const thrice = ["red", "red", "red"].reduce(after, undefined as string | undefined);
    expect(teammate(thrice)).toMatchObject({ consecutive_failures: 3, last_failure: "red" });
    expect(teammate(after(thrice, undefined))).toEqual({
      consecutive_failures: 0,
      last_failure: "red",
      total_failures: 3,
      total_successes: 1,
    });
  });
});

describe("metrics.json", () => {
  test("is read in both shapes", () => {
    expect(readMetrics(metrics)).toEqual({ ...metrics, perTeammate: {} });
    const other = {
      total_tasks: 3,
      successful_tasks: 2,
      failed_tasks: 1,
      per_teammate: { a: { completed: 2, failed: 1 }, b: {} },
    };
    expect(readMetrics(other)).toEqual({
      tasks_completed: 2,
      tasks_failed: 1,
      perTeammate: { a: { completed: 2, failed: 1 }, b: { completed: 0, failed: 0 } },
    });
  });

  test.each(Object.keys(metrics))("a wrong %s is reported at its place", (key) => {
    for (const value of wrong) {
      expect(paths(checkMetrics({ ...metrics, [key]: value }).findings)).toEqual([key]);
      expect(readMetrics({ ...metrics, [key]: value })).toBeUndefined();
    }
  });

  test.each([
    ["per_teammate", [1]],
    ["per_teammate", { a: { completed: "2" } }],
    ["total_tasks", "3"],
  ])("a wrong %s of the other format is reported", (key, value) => {
    expect(checkMetrics({ [key]: value }).findings).toHaveLength(1);
  });
});

test.each([
  ["All files | 85.71 | 80 |", 85.71],
  ["Statements   : 85.7% ( 1/2 )", 85.7],
  ["TOTAL    100    15    85%", 85],
  ["ok  x  0.1s  coverage: 85.0% of statements", 85],
  ["Total coverage: 90.5%", 90.5],
  ["no figure", undefined],
])("%j has a coverage of %j", (output, expected) => {
  expect(coverageIn(output)).toBe(expected);
});

test.each([
  ["mate-1", "mate-1"],
  ["../../etc/passwd", "etc-passwd"],
  ["__proto__", "proto__"],
  ["", "unknown"],
  [undefined, "unknown"],
  ["x".repeat(300), "x".repeat(64)],
])("the teammate %j is named %j", (teammate_name, expected) => {
  expect(teammateOf({ teammate_name })).toBe(expected);
});

test("only a JSON object is an event, and invalid fields are ignored", () => {
  for (const input of ["", "{", "[]", "1", "null"]) expect(readHookInput(input)).toBeUndefined();
  expect(readHookInput('{"cwd": 5, "task_subject": "x"}')).toMatchObject({ task_subject: "x" });
});
