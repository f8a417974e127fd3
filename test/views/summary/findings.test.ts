import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import type { ProofFinding } from "../../../src/core/state/proof-event.ts";
import { renderJobSummary } from "../../../src/views/job/job-summary.ts";
import { findingLines } from "../../../src/views/summary/findings.ts";
import { renderReport } from "../../../src/views/summary/report-markdown.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { renderSummary } from "../../../src/views/summary/summary-text.ts";
import { passing, runOf, task } from "../../support/builders/session.ts";

const finding: ProofFinding = {
  kind: "finding",
  check: "flags",
  message: "This code asks whether it is being tested",
  paths: ["src/up.js:3"],
};

const judged: Fact = {
  type: "proof_judged",
  task: "T-001",
  tree: "t1",
  findings: [finding],
  figures: { originals: "not applicable", red_first: "red", witnessed: 1, tried: 1 },
};
const facts = passing("T-001");
const state = runOf([task("T-001")], [...facts.slice(0, -2), judged, ...facts.slice(-2)]);
const summary = summarize(state);

test.each([
  ["the report", renderReport(state)],
  ["the job's page", renderJobSummary(summary, { sessionDir: "s" })],
  ["the summary on a terminal", renderSummary(summary, { sessionDir: "s" })],
])("%s shows what the proof found", (_, text) => {
  expect(text).toMatch(/please look at/i);
  expect(text).toContain("This code asks whether it is being tested");
  expect(text).toContain("src/up.js:3");
});

test("in a pull request a finding links to its place in the task's commit", () => {
  expect(findingLines(summary, "finding", { links: true })[0]).toMatch(
    /\[diff\]\(\.\.\/commit\/[0-9a-f]+#diff-[0-9a-f]{64}R3\)\)$/,
  );
});
