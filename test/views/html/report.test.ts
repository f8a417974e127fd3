import { expect, test } from "vitest";
import type { Fact, RunEvent } from "../../../src/core/state/event.ts";
import type { StopReason } from "../../../src/error.ts";
import { renderHtmlReport } from "../../../src/views/html/report.ts";
import { slimEvent } from "../../../src/views/html/slim-event.ts";
import { agentEnd, failed, passing, start, task } from "../../support/builders/session.ts";
import { everyFact } from "../session-files/every-fact.ts";
import { realisticEvents } from "../session-files/realistic-run.ts";
import { problemsOf } from "./check-page.ts";
import { longSession } from "./long-session.ts";

const three = [task("T-001"), task("T-002"), task("T-003")];
const end = (reason: StopReason, message = "It is over."): Fact => ({
  type: "session_end",
  reason,
  message,
});

function render(facts: readonly Fact[], { tasks = three, isAlive = false } = {}): string {
  const told = realisticEvents(tasks, facts);
  const events = told.map(({ event }) => event);
  const state = told.at(-1)?.state;
  if (!state) throw new Error("unreachable");
  return renderHtmlReport(state, {
    events,
    journal: `9:${"ab".repeat(32)}`,
    isAlive,
    pictures: new Map(),
  });
}

/** What can be read, one line for each piece of it. */
const textOf = (page: string) =>
  page
    .replace(/^[\s\S]*<body>/, "")
    .replace(/<\/?(?:bdi|b|span|code|a|title)\b[^>]*>/g, "")
    .replace(/<[^>]*>/g, "\n")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replace(/\n\s*/g, "\n");

const all = [
  ...passing("T-001", { commit: "c1".repeat(20) }),
  ...passing("T-002", { base: "t1", tree: "t2", commit: "c2".repeat(20) }),
  ...passing("T-003", { base: "t2", tree: "t3", commit: "c3".repeat(20) }),
];
const blocked: readonly Fact[] = [
  ...passing("T-001", { commit: "c1".repeat(20) }),
  start("T-002", "t1"),
  agentEnd("T-002", { usage: { cost_usd: 0.5 } }),
  failed("T-002", "gate", { feedback: 'Gate "test" failed.\nexpected 3, got 2' }),
  failed("T-002", "gate", { iteration: 2, feedback: 'Gate "test" failed.\nexpected 4, got 2' }),
  { type: "task_blocked", task: "T-002", message: "No progress.", kept: "f1".repeat(20) },
  end("blocked", "Blocked: T-002."),
];

test("every kind of event gives a sound page", () => {
  for (let count = 0; count <= everyFact.length; count++) {
    expect(problemsOf(render(everyFact.slice(0, count))), `${count} facts`).toEqual([]);
  }
});

test("the report of a stopped session has the order a reader needs", () => {
  const text = textOf(render(blocked));
  const order = [
    "Example",
    "An example project",
    "✗ blocked: 1 of 3 tasks passed",
    "Blocked: T-002.",
    "Next: Remove the reason the task is blocked",
    "1 of 3",
    "0 of 3",
    "1 left to the review, 2 not checked",
    "Proved in place",
    "What stopped",
    "T-002 ✗ blocked: Title of T-002",
    "No progress.",
    "2 iterations: gate failed 2 times.",
    "Last message, iteration 2, gate failed",
    "expected 4, got 2",
    "Its work is kept: git diff t1 f1f1f1f1f1f1",
    "T-001 ✓ passed Title of T-001",
    "T-003 ○ not begun Title of T-003",
    "Time and money by step",
    "T-003: not begun",
    "T-001: 1 criterion was left to the review",
    `9:${"ab".repeat(32)}`,
  ];
  let at = 0;
  for (const words of order) {
    const found = text.indexOf(words, at);
    expect(found, `${words} after ${text.slice(at, at + 200)}`).toBeGreaterThan(-1);
    at = found;
  }
});

test.each<[verdict: string, tone: string, facts: readonly Fact[], isAlive?: boolean]>([
  ["✓ completed: 3 of 3 tasks passed", "ok", [...all, end("all_done")]],
  ["! completed: 0 of 3 tasks passed", "warn", [end("all_done")]],
  ["– nothing to do: 0 of 3 tasks passed", "quiet", [end("nothing_to_do")]],
  ["! partial: 0 of 3 tasks passed", "warn", [end("checkpoint")]],
  ["✗ aborted: 0 of 3 tasks passed", "bad", [end("cancelled")]],
  ["✗ failed: 0 of 3 tasks passed", "bad", [end("breaker")]],
  ["! interrupted: 0 of 3 tasks passed", "warn", [start("T-001")]],
  ["… running: 0 of 3 tasks passed", "quiet", [start("T-001")], true],
])("the verdict is %s", (verdict, tone, facts, isAlive = false) => {
  const page = render(facts, { isAlive });
  expect(textOf(page)).toContain(verdict);
  expect(page).toContain(`<section class="verdict ${tone}"`);
});

test("a session in which all had passed before is not shown as good", () => {
  const tasks = three.map((each) => ({ ...each, passes: true }));
  const page = render([end("all_done")], { tasks });
  expect(textOf(page)).toContain("– completed: 3 of 3 tasks passed");
  expect(textOf(page)).toContain("Nothing is proved.");
});

test("without a task there is a page too", () => {
  const page = render([end("nothing_to_do")], { tasks: [] });
  expect(problemsOf(page)).toEqual([]);
  expect(textOf(page)).toContain("No task was chosen for this session.");
});

test("slimmed events give the same page", () => {
  const sessions = [longSession(12), everySession()];
  for (const { state, events } of sessions) {
    const given = { journal: undefined, isAlive: false, pictures: new Map() };
    expect(renderHtmlReport(state, { ...given, events: events.map(slimEvent) })).toBe(
      renderHtmlReport(state, { ...given, events }),
    );
  }
});

function everySession(): { state: ReturnType<typeof longSession>["state"]; events: RunEvent[] } {
  const told = realisticEvents(three, everyFact);
  const state = told.at(-1)?.state;
  if (!state) throw new Error("unreachable");
  return { state, events: told.map(({ event }) => event) };
}

test("999 tasks have a valid page of at most 2 MB, with the details of failures", () => {
  const { state, events } = longSession(999);
  const page = renderHtmlReport(state, {
    events,
    journal: undefined,
    isAlive: false,
    pictures: new Map(),
  });
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000);
  expect(problemsOf(page)).toEqual([]);
  const text = textOf(page);
  expect(text).toContain("999 tasks: ✓ 983 passed, ✗ 10 failed, ✗ 6 blocked.");
  expect(text).toContain("T-951 to T-999 ✓ 48 passed, ✗ 1 failed");
  expect(page).toContain('<details class="task" id="T-970">');
});
