import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import type { SteeringCommand } from "../../../src/core/state/steering-command.ts";
import { draftReason } from "../../../src/github/publish/finish-pull.ts";
import { renderHtmlReport } from "../../../src/views/html/report.ts";
import { renderJobSummary } from "../../../src/views/job/job-summary.ts";
import { renderMetricsComment } from "../../../src/views/pull-request/metrics-comment.ts";
import { renderPullBody } from "../../../src/views/pull-request/pull-body.ts";
import { renderReport } from "../../../src/views/summary/report-markdown.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { renderSummary } from "../../../src/views/summary/summary-text.ts";
import { passing, runOf, task } from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003", { dependsOn: ["T-002"] })];
const said = (order: SteeringCommand): Fact => ({ type: "steered", order });
const hint = "Ask @octo, it fixes #3.";
const state = runOf(tasks, [
  said({ verb: "skip", task: "T-002", comment: 7, by: "ada" }),
  said({ verb: "hint", text: hint, comment: 8, by: "ada" }),
  ...passing("T-001"),
  { type: "session_end", reason: "all_done", message: "The task passed." },
]);
const summary = summarize(state);
const lines = ["- T-002 (skipped by ada): Title of T-002", "- T-003 (needs T-002): Title of T-003"];

test("a pull request names skipped tasks and who skipped them, closes nothing, and notifies no one", () => {
  const marker = { run: "20260125-143052-a7b3c9" };
  const body = renderPullBody({
    ...{ summary, marker, requested: { priority_item: "x", description: "x" } },
    issue: 12,
  });
  for (const line of lines) expect(body).toContain(line);
  expect(body).toContain("Part of #12.");
  expect(body).not.toContain("Closes");
  expect(body).toContain("- Command: skip T-002 by ada");
  expect(body).toContain("- Command: hint by ada: Ask `@octo`, it fixes `#3`.");
});

test("it stays a draft, and says why", () => {
  const story = { summary, state } as Parameters<typeof draftReason>[0];
  const wish = { staysDraft: false, proof: "clean_room" } as Parameters<typeof draftReason>[1];
  expect(draftReason(story, wish)).toBe(
    "1 of 1 task passed; left out: T-002 (skipped by ada), T-003 (needs T-002)",
  );
});

test("every report says so", () => {
  const page = renderHtmlReport(state, {
    events: [],
    journal: "1:a",
    isAlive: false,
    pictures: new Map(),
  });
  expect(page).toMatch(/<li>T-003 \(.*needs T-002.*\): .*Title of T-003/);
  const terminal = renderSummary(summary, { sessionDir: ".ralph-session" });
  expect(terminal).toMatch(/^partial \(exit code 0\)/);
  expect(terminal).toContain("T-002 left out, skipped by ada: Title of T-002");
  for (const text of [renderReport(state), renderJobSummary(summary, { sessionDir: "s" })]) {
    for (const line of lines) expect(text).toContain(line);
    expect(text).toContain("partial");
  }
  expect(renderMetricsComment({ summary, run: "r" })).toContain("**ralph**: partial");
});
