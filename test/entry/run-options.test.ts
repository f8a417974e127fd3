import { expect, test } from "vitest";
import { choicesOf, withEnvironment } from "../../src/entry/run-options.ts";

test("the environment adds a budget, a dry run and the time limit of a job, below what is asked for", () => {
  const env = { RALPH_BUDGET_USD: "2.5", RALPH_DRY_RUN: "1", GITHUB_ACTIONS: "true" };
  expect(withEnvironment({}, env)).toEqual({ budget: 2.5, dryRun: true, jobMinutes: 360 });
  expect(withEnvironment({ budget: 0, jobMinutes: 30 }, env)).toMatchObject({
    budget: 0,
    jobMinutes: 30,
  });
  expect(withEnvironment({}, { RALPH_BUDGET_USD: "" })).toEqual({ dryRun: false });
});

test("a budget in the environment that is no amount is exit 1", () => {
  expect(() => withEnvironment({}, { RALPH_BUDGET_USD: "1,5" })).toThrow(
    expect.objectContaining({
      exitCode: 1,
      message: "RALPH_BUDGET_USD=1,5 must be an amount in US dollars, such as 2.50.",
    }),
  );
});

test("a session stops at its own time limit, and a tenth of the job before the job ends", () => {
  const minute = 60_000;
  const given = { now: 0, maxRuntime: 3600 };
  expect(choicesOf({ jobMinutes: 60 }, given).deadlines).toEqual([
    { at: 60 * minute, reason: "max_runtime" },
    { at: 54 * minute, reason: "checkpoint" },
  ]);
  expect(choicesOf({ maxRuntime: 90, jobMinutes: 360 }, given).deadlines).toEqual([
    { at: 90_000, reason: "max_runtime" },
    { at: 345 * minute, reason: "checkpoint" },
  ]);
  expect(choicesOf({ gates: "none" }, { now: 0, maxRuntime: null })).toEqual({
    gates: "none",
    keepGoing: false,
    deadlines: [],
  });
});
