import { expect, test } from "vitest";
import { requireAutoCommit } from "../../../src/action/checks/checks.ts";
import { configWith } from "../../support/builders/config.ts";

const check = (autopilot: object) => () => requireAutoCommit(configWith({ autopilot }));
const off = { auto_commit: false };

test("a job that would not commit its plan does not start", () => {
  expect(check({})).not.toThrow();
  expect(check({ prd: off })).toThrow("`autopilot.prd.auto_commit` is false");
  expect(check({ prd: off, tasks: off })).toThrow(
    "`autopilot.prd.auto_commit` and `autopilot.tasks.auto_commit` are false",
  );
});
