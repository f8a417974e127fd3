import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { phaseOf } from "../../../src/core/state/phase.ts";
import type { Phase } from "../../../src/schema/base/phase.ts";
import {
  agentEnd,
  failed,
  passing,
  runOf,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";

const implemented = [start("T-001"), agentEnd("T-001")];
const end = (reason: "all_done" | "cancelled" | "checkpoint" | "task_failed"): Fact => ({
  type: "session_end",
  reason,
  message: "over",
});

const table: [string, Fact[], Phase][] = [
  ["before the first task", [], "starting"],
  ["while the first agent works", [start("T-001")], "executing"],
  ["while tests are written", implemented, "executing"],
  ["when both have answered", [...implemented, testsDone("T-001")], "verifying"],
  ["after a failed iteration", [...implemented, failed("T-001", "gate")], "fixing"],
  ["between a pass and its commit", passing("T-001").slice(0, -1), "verifying"],
  ["between two tasks", passing("T-001"), "executing"],
  ["when all is done", [...passing("T-001"), end("all_done")], "complete"],
  ["when a task failed", [...implemented, end("task_failed")], "failed"],
  ["when it was cancelled", [...implemented, end("cancelled")], "cancelled"],
  ["when it stopped for later", [...implemented, end("checkpoint")], "cancelled"],
];

test.each(table)("%s the phase is reported", (_, facts, phase) => {
  expect(phaseOf(runOf([task("T-001"), task("T-002")], facts))).toBe(phase);
});

test("without tests to write, an answered implementation is verified at once", () => {
  const state = runOf([task("T-001", { requiresTests: false })], implemented);
  expect(phaseOf(state)).toBe("verifying");
});
