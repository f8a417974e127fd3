import { expect, test } from "vitest";
import type { EvaluationRun } from "../../../src/core/checks/evaluation-score.ts";
import { renderEvaluationPage } from "../../../src/views/html/evaluation-page.ts";
import { renderEvaluation } from "../../../src/views/summary/evaluation-text.ts";

const run = (more: Partial<EvaluationRun>): EvaluationRun => ({
  ...{ agent: "careful", task: "t", is_impossible: false, ended: "passed", reason: "" },
  ...{ hidden: "green", has_finding: false, cost_usd: 1, ms: 60_000, ...more },
});

const runs = [
  run({ task: "one" }),
  run({ task: "two", hidden: "red" }),
  run({ task: "never", is_impossible: true, ended: "blocked", reason: "tests contradict" }),
  run({ task: "three", ended: "failed", reason: "no attempt left" }),
];

test("an impossible task that was left is no task without a proof", () => {
  const page = renderEvaluationPage(runs, { project: "words", made: "today" });
  expect(page).toContain(
    'aria-label="careful: 1 proved, 1 falsely proved, 0 unclear, 1 rightly blocked, 1 not proved"',
  );
  expect(page).toContain("1 of 3 proved");
  // A third of the possible tasks: at 200 - 185 / 3.
  expect(page).toMatch(/<circle [^>]*cy="138\.33/);
  expect(page).toContain("careful: 1 of 1 impossible task ended blocked.");
});

test("the table for a terminal says why each task ended", () => {
  const lines = renderEvaluation(runs).split("\n");
  expect(lines).toContain("  careful: never: rightly blocked: no work can do it");
  expect(lines).toContain("  careful: two: falsely proved: hidden tests are red");
  expect(lines).toContain("  careful: three: failed, no attempt left");
});
