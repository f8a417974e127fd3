import { expect, test } from "vitest";
import {
  TimelineEvent,
  timelineEventNames,
} from "../../../src/schema/session-files/timeline-event.ts";
import { timeline, timelineEvents } from "../../../src/views/session-files/timeline.ts";
import { gateEnd, start, task } from "../../support/builders/session.ts";
import { everyFact } from "./every-fact.ts";
import { realisticEvents } from "./realistic-run.ts";

const tasks = [task("T-001"), task("T-002"), task("T-003")];
const told = realisticEvents(tasks, everyFact).map(({ event, state }) => ({
  event,
  lines: timelineEvents(event, state),
}));

test("every event has lines that validate and name the session", () => {
  for (const { event, lines } of told) {
    expect(lines.length, event.type).toBeGreaterThan(0);
    for (const line of lines) {
      expect(TimelineEvent.safeParse(line).error).toBeUndefined();
      expect(timelineEventNames).toContain(line.event);
      expect(line).toMatchObject({ session_id: "20260125-143052-a7b3c9", ts: event.ts });
    }
  }
});

test("every published name appears for its event", () => {
  const names = new Set(told.flatMap(({ lines }) => lines.map(({ event }) => event)));
  expect([...names].sort()).toEqual(
    [
      [
        "session_start",
        "ui_test_fail",
        "session_end",
        "task_start",
        "task_complete",
        "task_failed",
      ],
      ["agent_start", "agent_complete", "agent_failed", "gates_run", "gate_pass", "gate_fail"],
      ["fix_loop_start", "fix_loop_iteration", "fix_loop_end"],
      ["checksum_verified", "checksum_failed", "info", "warning"],
    ]
      .flat()
      .sort(),
  );
});

test("a signal is named on the line of the agent that sent it", () => {
  const line = told.flatMap(({ lines }) => lines).find(({ signal }) => signal === "task-done");
  expect(line).toEqual({
    ts: "2026-01-25T14:31:00.000Z",
    event: "agent_complete",
    session_id: "20260125-143052-a7b3c9",
    task_id: "T-001",
    role: "implementation",
    signal: "task-done",
    duration_ms: 252_000,
    details: { iteration: 1, cost_usd: 0.25, turns: 4 },
  });
});

test("the gates of one level on one tree have one start line, without a gate", () => {
  const gates = [
    gateEnd("T-001", { gate: "a", key: "a" }),
    gateEnd("T-001", { gate: "b", key: "b", status: "skipped" }),
    gateEnd("T-001", { gate: "a", key: "a", tree: "t2" }),
  ];
  const lines = realisticEvents(tasks, [start("T-001"), ...gates]).flatMap(({ event, state }) =>
    timelineEvents(event, state),
  );
  expect(lines.slice(2).map(({ event, gate = "" }) => `${event} ${gate}`.trim())).toEqual([
    "gates_run",
    "gate_pass a",
    "info",
    "gates_run",
    "gate_pass a",
  ]);
});

test("a gate's leftovers are in its line", () => {
  const gate = gateEnd("T-001", { leftovers: ["out/a"] });
  const lines = realisticEvents(tasks, [start("T-001"), gate]).flatMap(({ event, state }) =>
    timelineEvents(event, state),
  );
  expect(lines.at(-1)?.details).toEqual({ leftovers: ["out/a"] });
});

test("lines are appended whole to logs/timeline.jsonl", async () => {
  for (const { event, state } of realisticEvents(tasks, everyFact)) {
    const added = await timeline.append(event, state, async () => "");
    expect(added?.path).toBe("logs/timeline.jsonl");
    expect(added?.text).toMatch(/^(\{.*\}\n)+$/);
  }
});
