import { expect, test } from "vitest";
import { settleRuns } from "../../../src/core/proof/tree-class.ts";

const runs = (text: string) => settleRuns([...text].map((each) => each === "g"));

test.each([
  ["g", "green"],
  ["r", "again"],
  ["rr", "red"],
  ["rg", "again"],
  ["rgg", "flaky"],
  ["rgr", "again"],
  ["rgrg", "flaky"],
  ["rgrr", "red"],
] as const)("runs %s settle as %s", (text, settled) => {
  expect(runs(text)).toBe(settled);
});
