import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { liveStatusOf } from "../../../src/views/terminal/status.ts";
import {
  agentEnd,
  events,
  failed,
  runOf,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";

const tasks = [task("T-001"), task("T-002")];
const nothing = { sha256: "e".repeat(64), bytes: 0 };
const call: Fact = {
  type: "agent_start",
  task: "T-001",
  role: "review",
  iteration: 2,
  driver: "claude",
  prompt: nothing,
};
const wait: Fact = { type: "wait", because: "limit", ms: 1000, until: "2026-01-25T21:00:00.000Z" };
const end: Fact = { type: "session_end", reason: "cancelled", message: "Cancelled." };

function statusAfter(facts: Fact[], isAlive = true) {
  const last = events([sessionStart(tasks), ...facts]).at(-1);
  if (!last) throw new Error("unreachable: there is a first event");
  return liveStatusOf(runOf(tasks, facts), last, isAlive);
}

test.each<[string, Fact[], object]>([
  ["an agent's call", [start("T-001"), call], { kind: "agent", role: "review", iteration: 2 }],
  ["a wait with its end", [wait], { kind: "waiting", until: "2026-01-25T21:00:00.000Z" }],
  ["gates and criteria", [start("T-001"), agentEnd("T-001")], { kind: "checking", task: "T-001" }],
  ["the time between", [], { kind: "preparing", since: "2026-01-25T14:30:52.000Z" }],
])("%s follows from the last event", (_, facts, activity) => {
  expect(statusAfter(facts).activity).toMatchObject(activity);
});

test("a session without an end is running as long as its process lives", () => {
  expect(statusAfter([call].slice(1)).liveness).toBe("running");
  expect(statusAfter([], false).liveness).toBe("interrupted");
  expect(statusAfter([end])).toMatchObject({ liveness: "ended", activity: null });
});

test("the last failure is that of the task under way", () => {
  const status = statusAfter([start("T-001"), agentEnd("T-001"), failed("T-001", "gate")]);
  expect(status.last_failure).toEqual({
    task: "T-001",
    iteration: 1,
    because: "gate",
    feedback: "what went wrong",
  });
  expect(statusAfter([start("T-001")]).last_failure).toBeNull();
});
