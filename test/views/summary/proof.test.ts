import { expect, test } from "vitest";
import type { CriterionResult } from "../../../src/core/state/event.ts";
import type { TaskState } from "../../../src/core/state/session-state.ts";
import { newTaskState } from "../../../src/core/state/session-state.ts";
import { gateResults, renderProofLine } from "../../../src/views/summary/proof.ts";
import { gateEnd, task } from "../../support/builders/session.ts";

function proven(verdicts: CriterionResult["verdict"][], more: Partial<TaskState> = {}): TaskState {
  const results = verdicts.map((verdict, index) => ({
    number: index + 1,
    text: "It works",
    kind: "judged" as const,
    detail: "",
    verdict,
  }));
  return { ...newTaskState(task("T-001")), tree: "t1", criteria: { tree: "t1", results }, ...more };
}

const gates = (...all: ReturnType<typeof gateEnd>[]) =>
  Object.fromEntries(all.map((gate) => [`${gate.gate}@${gate.tree}`, gate]));

test("a criterion that held before counts as proved only where nothing had to change", () => {
  expect(renderProofLine(proven(["proved", "held", "to_judge"]))).toBe(
    "Proof: criteria proved 1/3, 2 for the review; no gates ran.",
  );
  expect(renderProofLine(proven(["held", "held"], { isAlreadySatisfied: true }))).toBe(
    "Already satisfied: criteria proved 2/2; no gates ran.",
  );
});

test("every kind of gate result has its own label", () => {
  const run = proven([], {
    gates: gates(
      gateEnd("T-001"),
      gateEnd("T-001", { gate: "build", status: "skipped" }),
      gateEnd("T-001", { gate: "lint", status: "timed_out" }),
    ),
  });
  expect(renderProofLine(run)).toBe(
    "Proof: criteria proved 0/0; gates passed: test; skipped: build; red but accepted: lint.",
  );
});

test("results of earlier trees do not count", () => {
  const run = proven([], { gates: gates(gateEnd("T-001", { tree: "t0" })) });
  expect(gateResults(run)).toEqual([]);
});
