import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  canMove,
  freeWorkers,
  mayTryAgain,
  queueStateOf,
  queueStates,
} from "../../../src/core/state/queue.ts";
import { taskOf } from "../../../src/core/state/session-state.ts";
import { passing, runOf, start, task } from "../../support/builders/session.ts";

const [A, B] = ["T-001", "T-002"] as const;
const tasks = [task(A, { priority: 1 }), task(B, { priority: 1 })];
const claim = (id: string, worker = "agent-1"): Fact => ({
  type: "task_claimed",
  task: id,
  worker,
  base: "c0",
});
const failed = (id: string): Fact => ({ type: "task_failed", task: id, message: "no" });
const blocked = (id: string): Fact => ({ type: "task_blocked", task: id, message: "no" });
const resumed = (queue_attempts?: number): Fact => ({
  type: "session_resume",
  sandbox: "off",
  ...(queue_attempts !== undefined && { queue_attempts }),
});

test.each<[string, Fact[], string]>([
  ["waits", [], "pending"],
  ["is taken on", [claim(A)], "claimed"],
  ["is worked on", [claim(A), start(A)], "claimed"],
  ["is worked on where nobody claims", [start(A)], "claimed"],
  ["failed", [claim(A), start(A), failed(A)], "failed"],
  ["is blocked", [claim(A), start(A), blocked(A)], "failed"],
  ["passed", passing(A), "done"],
  ["was claimed when the process died, and the session goes on", [claim(A), resumed(3)], "pending"],
  ["was worked on when the process died", [claim(A), start(A), resumed(3)], "pending"],
  ["failed once, and the session goes on", [claim(A), start(A), failed(A), resumed(2)], "pending"],
  [
    "failed as often as it may",
    [claim(A), start(A), failed(A), resumed(2), claim(A), start(A), blocked(A), resumed(2)],
    "failed",
  ],
  [
    "was interrupted more often than it may fail",
    [claim(A), start(A), resumed(1), claim(A), start(A), resumed(1)],
    "pending",
  ],
  ["failed, where nothing bounds the attempts", [start(A), failed(A), resumed()], "pending"],
])("a task that %s is %s", (_, facts, state) => {
  expect(queueStateOf(taskOf(runOf(tasks, facts), A))).toBe(state);
});

test("only these moves are there", () => {
  const moves = queueStates.flatMap((from) =>
    queueStates.filter((to) => canMove(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(moves).toEqual([
    "pending → claimed",
    "claimed → pending",
    "claimed → done",
    "claimed → failed",
    "failed → pending",
  ]);
});

test.each<[string, Fact[], RegExp]>([
  ["twice", [claim(A), claim(A, "agent-2")], /T-001: it is claimed/],
  ["when it has passed", [...passing(A), claim(A)], /T-001: it is done/],
  ["when it has failed", [start(A), failed(A), claim(A)], /T-001: it is failed/],
  ["by a worker that has one", [claim(A), claim(B)], /agent-1 cannot take T-002: it has T-001/],
])("a journal in which a task is taken on %s cannot be", (_, facts, message) => {
  expect(() => runOf(tasks, facts)).toThrow(message);
});

test("a task may fail as often as the queue says", () => {
  const gaveUp = taskOf(runOf(tasks, [claim(A), start(A), failed(A)]), A);
  expect([undefined, 3, 2, 1].map((attempts) => mayTryAgain(gaveUp, attempts))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test.each<[string, Fact[], string[], string[]]>([
  ["nobody works", [], [], ["agent-1", "agent-2", "agent-3"]],
  ["one works", [claim(A, "agent-2"), start(A)], [], ["agent-1", "agent-3"]],
  ["one has failed", [claim(A), start(A), failed(A)], [], ["agent-1", "agent-2", "agent-3"]],
  ["one begins", [], ["agent-1"], ["agent-2", "agent-3"]],
])("while %s, these workers are free", (_, facts, starting, names) => {
  expect(freeWorkers(runOf(tasks, facts), starting, 3)).toEqual(names);
});
