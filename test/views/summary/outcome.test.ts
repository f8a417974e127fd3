import { expect, test } from "vitest";
import type { StopReason } from "../../../src/error.ts";
import { outcomeOf, sessionStatusOf } from "../../../src/views/summary/outcome.ts";
import { passing, runOf, start, task } from "../../support/builders/session.ts";

const ended = (reason: StopReason, hasPassed = false) =>
  runOf(
    [task("T-001"), task("T-002")],
    [
      ...(hasPassed ? passing("T-001") : [start("T-001")]),
      { type: "session_end", reason, message: "so it ended" },
    ],
  );

test.each<[StopReason, boolean, string, string]>([
  ["all_done", true, "completed", "completed"],
  ["nothing_to_do", false, "nothing_to_do", "completed"],
  ["task_failed", true, "partial", "failed"],
  ["task_failed", false, "failed", "failed"],
  ["blocked", true, "blocked", "failed"],
  ["checkpoint", false, "partial", "aborted"],
  ["budget", true, "partial", "aborted"],
  ["max_runtime", false, "partial", "aborted"],
  ["cancelled", true, "aborted", "aborted"],
  ["tampering", true, "failed", "failed"],
  ["breaker", false, "failed", "failed"],
])("%s with a pass: %s reads as %s, in files as %s", (reason, hasPassed, outcome, status) => {
  const state = ended(reason, hasPassed);
  expect([outcomeOf(state), sessionStatusOf(state)]).toEqual([outcome, status]);
});

test("a session without an end is running", () => {
  const state = runOf([task("T-001")]);
  expect([outcomeOf(state), sessionStatusOf(state)]).toEqual(["running", "running"]);
});
