import { expect, test } from "vitest";
import { taskRanges } from "../../../src/views/summary/gate-facts.ts";

test.each<[string[], string]>([
  [[], ""],
  [["T-001"], "T-001"],
  [["T-001", "T-002"], "T-001, T-002"],
  [["T-001", "T-002", "T-003", "T-005"], "T-001 to T-003, T-005"],
  [["a", "b", "c"], "a, b, c"],
])("%j reads %j", (ids, names) => {
  expect(taskRanges(ids)).toBe(names);
});

test("many that do not follow each other stay one line", () => {
  const ids = Array.from({ length: 400 }, (_, at) => `T-${String(2 * at + 1).padStart(3, "0")}`);
  expect(taskRanges(ids)).toMatch(/^(?:T-\d{3}, ){11}T-023 and others$/);
});
