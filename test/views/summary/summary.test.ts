import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { stopReasons } from "../../../src/error.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { agentEnd, failed, passing, start, task } from "../../support/builders/session.ts";
import { realisticRun } from "../session-files/realistic-run.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003", { passes: true })];
const facts: Fact[] = [
  ...passing("T-001", { commit: "c1".repeat(20) }),
  start("T-002"),
  agentEnd("T-002", { usage: { cost_usd: 0.5 } }),
  failed("T-002", "review", { feedback: "no tests" }),
];

test("the object holds the outcome, the figures and every task", () => {
  const kept = "f1".repeat(20);
  const summary = summarize(
    realisticRun(tasks, [
      ...facts,
      { type: "task_failed", task: "T-002", message: "No pass", kept },
      { type: "session_end", reason: "task_failed", message: "Failed: T-002." },
    ]),
  );
  expect(summary).toMatchObject({
    status: "partial",
    stop_reason: "task_failed",
    exit_code: stopReasons.task_failed,
    message: "Failed: T-002.",
    tasks_completed: 2,
    tasks_total: 3,
    iterations: 2,
    cost_usd: 0.5,
    usage_by_role: {
      implementation: { calls: 2, cost_usd: 0.5 },
      test_writing: { calls: 1 },
      review: { calls: 1 },
    },
    duration_ms: 13_000,
    branch: "ralph/example",
    head: "c1c1c1c1c1c1",
  });
  expect(summary.tasks.map(({ id, state, commit }) => [id, state, commit])).toEqual([
    ["T-001", "passed", "c1c1c1c1c1c1"],
    ["T-002", "failed", null],
    ["T-003", "passed", null],
  ]);
  expect(summary.tasks[1]).toMatchObject({ message: "No pass", kept, cost_usd: 0.5 });
});

test("a running session has no stop reason, and shows the last failure", () => {
  const summary = summarize(realisticRun(tasks, facts));
  expect(summary).toMatchObject({ status: "running", stop_reason: null, exit_code: null });
  expect(summary.tasks[1]).toMatchObject({ message: "no tests", duration_ms: 2000 });
});

test("an unreported cost is unknown, not zero", () => {
  expect(summarize(realisticRun(tasks, [])).cost_usd).toBeNull();
});

test("only selected tasks count", () => {
  const state = realisticRun(tasks, facts);
  const one = { ...state, session: { ...state.session, selected: ["T-001"] } };
  expect(summarize(one)).toMatchObject({ tasks_completed: 1, tasks_total: 1 });
});
