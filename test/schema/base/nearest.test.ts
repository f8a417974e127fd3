import { expect, test } from "vitest";
import { nearest } from "../../../src/schema/base/nearest.ts";

const keys = ["gates", "agents", "git", "limits", "max_iterations", "timeout_seconds"];

test.each<[string, string | undefined]>([
  ["gate", "gates"],
  ["agent", "agents"],
  ["gti", undefined],
  ["got", "git"],
  ["gaets", "gates"],
  ["max_iteration", "max_iterations"],
  ["maxIterations", "max_iterations"],
  ["timeout_second", "timeout_seconds"],
  ["timeout", undefined],
  ["MaxIterations", "max_iterations"],
  ["timeout-seconds", "timeout_seconds"],
  ["colour", undefined],
  ["", undefined],
  ["🙂🙂🙂", undefined],
])("the key nearest to %j is %j", (word, expected) => {
  expect(nearest(word, keys)).toBe(expected);
});

test("a huge word costs nothing", () => {
  expect(nearest("x".repeat(50_000), keys)).toBeUndefined();
});
