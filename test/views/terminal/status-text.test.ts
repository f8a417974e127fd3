import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { liveStatusOf } from "../../../src/views/terminal/status.ts";
import { renderStatus, renderStatusLine } from "../../../src/views/terminal/status-text.ts";
import {
  agentEnd,
  events,
  failed,
  passing,
  runOf,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002")];
const now = Date.parse("2026-01-25T14:35:00.000Z");

const same = (text: string) => text;
const style = { good: same, bad: same, wait: same, plain: same, faint: same };
const shown = { now, isWatched: false, style };

function statusAfter(facts: Fact[], isAlive = true) {
  const last = events([sessionStart(tasks), ...facts]).at(-1);
  if (!last) throw new Error("unreachable: there is a first event");
  return liveStatusOf(runOf(tasks, facts), last, isAlive);
}

const call: Fact = {
  type: "agent_start",
  task: "T-002",
  role: "implementation",
  iteration: 2,
  driver: "claude",
  prompt: { sha256: "e".repeat(64), bytes: 0 },
};
const fixing = [
  ...passing("T-001"),
  start("T-002", "t1+"),
  agentEnd("T-002", { tree: "t2" }),
  failed("T-002", "gate", { tree: "t2" }),
  call,
];
const wait: Fact = { type: "wait", because: "limit", ms: 1000, until: "2026-01-25T21:00:00.000Z" };
const end: Fact = { type: "session_end", reason: "cancelled", message: "Cancelled." };

test("a running session: phase, activity and its start, tasks, the last failure", () => {
  expect(renderStatus(statusAfter(fixing), shown)).toMatchInlineSnapshot(`
    "Session  20260125-143052-a7b3c9 on ralph/example: fixing
    Now      fixing: implementation of T-002, iteration 2, since 2026-01-25 14:31:04 UTC (3 min 56 s)
    Passed   1/2 tasks, 2 iterations

    Task   State    Iterations  Time   Cost  Commit  Title
    T-001  passed   1           6.0 s  -     c1      Title of T-001
    T-002  running  1           3.0 s  -     -       Title of T-002

    T-002 iteration 1 failed (gate): what went wrong

    Next     Wait, or follow it with \`ralph status --watch\`."
  `);
});

test("an interrupted session shows how to continue", () => {
  expect(renderStatus(statusAfter(fixing, false), shown)).toMatchInlineSnapshot(`
    "Session  20260125-143052-a7b3c9 on ralph/example: interrupted: its process died before the session ended
    Now      fixing: implementation of T-002, iteration 2, since 2026-01-25 14:31:04 UTC
    Passed   1/2 tasks, 2 iterations

    Task   State    Iterations  Time   Cost  Commit  Title
    T-001  passed   1           6.0 s  -     c1      Title of T-001
    T-002  running  1           3.0 s  -     -       Title of T-002

    T-002 iteration 1 failed (gate): what went wrong

    Next     Continue with \`ralph run --resume\`; passed tasks are committed, unfinished work is kept."
  `);
});

test("a wait is shown with its end", () => {
  expect(renderStatus(statusAfter([...fixing, wait]), shown)).toContain(
    "waiting until 2026-01-25 21:00:00 UTC, the agent is rate limited",
  );
});

test.each<[string, Fact[], boolean, string]>([
  ["an agent", fixing, true, "ralph 1/2 T-002 implementation"],
  ["a wait", [...fixing, wait], true, "ralph 1/2 waiting until 21:00 UTC"],
  ["gates", [start("T-001"), agentEnd("T-001")], true, "ralph 0/2 T-001 checking"],
  ["the beginning", [], true, "ralph 0/2 preparing"],
  ["a crash", fixing, false, "ralph 1/2 interrupted"],
  ["an end", [...fixing, end], false, "ralph 1/2 aborted"],
])("one line for a prompt shows %s", (_, facts, isAlive, line) => {
  expect(renderStatusLine(statusAfter(facts, isAlive))).toBe(line);
});

test("several running tasks are shown one per line, and in short", () => {
  const claim = (id: string, worker: string): Fact => ({
    type: "task_claimed",
    task: id,
    worker,
    base: "c0",
  });
  const facts = [
    ...[claim("T-001", "agent-1"), start("T-001"), agentEnd("T-001")],
    ...[claim("T-002", "agent-2"), start("T-002"), { ...call, task: "T-002", iteration: 1 }],
  ];
  const status = statusAfter(facts);
  expect(renderStatus(status, shown)).toContain(
    `Now      executing: gates and criteria of T-001, since 2026-01-25 14:30:55 UTC`,
  );
  expect(renderStatus(status, shown)).toContain(
    `\n         implementation of T-002, iteration 1, since 2026-01-25 14:30:58 UTC`,
  );
  expect(renderStatusLine(status)).toBe("ralph 0/2 T-001 checking, T-002 implementation");
  expect(renderStatusLine(statusAfter([...facts, wait]))).toBe(
    "ralph 0/2 waiting until 21:00 UTC, T-002 implementation",
  );
});

test("a watched status has colours, and does not advise to watch", () => {
  const red = (text: string) => `<${text}>`;
  const text = renderStatus(statusAfter(fixing), {
    now,
    isWatched: true,
    style: { ...style, bad: red },
  });
  expect(text).toContain("<T-002 iteration 1 failed (gate): what went wrong>");
  expect(text).toContain("Next     Ctrl-C stops watching; the session goes on.");
});
