import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { renderHtmlReport } from "../../../src/views/html/report.ts";
import { renderPullBody } from "../../../src/views/pull-request/pull-body.ts";
import { renderReport } from "../../../src/views/summary/report-markdown.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { task } from "../../support/builders/session.ts";
import { everyFact } from "../session-files/every-fact.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";

const end: Fact = { type: "session_end", reason: "all_done", message: "It is over." };
const tasks = [task("T-001"), task("T-002"), task("T-003")];
const told = realisticEvents(tasks, [...everyFact, end]);
const events = told.map(({ event }) => event);
const state = told.at(-1)?.state;
if (!state) throw new Error("unreachable");

test("a report says in short what was repaired, by whom and in which commit", () => {
  expect(renderReport(state)).toContain(
    "| dashboard: no tab is named Dashboard | kept: Verified: services, browser. | index.html |",
  );
});

test("a pull request says at its top that no reviewer has seen a repair", () => {
  const [first] = renderPullBody({
    summary: summarize(state, events),
    requested: { priority_item: "Users", description: "" },
    marker: { run: "20260125-143052-a7b3c9" },
  }).split("\n");
  expect(first).toContain("Agents then made 1 repair that no reviewer has seen.");
});

test("the page has a row for the calls of repairs, and counts their time once", () => {
  const journal = `9:${"ab".repeat(32)}`;
  const page = renderHtmlReport(state, { events, journal, isAlive: false, pictures: new Map() });
  expect(page).toContain("<h3>Repairs after the last task</h3>");
  expect(page.match(/<td[^>]*>(?:<bdi>)?planning</g)).toHaveLength(1);
});
