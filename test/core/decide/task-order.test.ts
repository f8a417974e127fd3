import { expect, test } from "vitest";
import { readyTasks } from "../../../src/core/decide/task-order.ts";
import type { Fact, RunTask } from "../../../src/core/state/event.ts";
import { passing, runOf, start, task } from "../../support/builders/session.ts";

const gaveUp = (id: string): Fact[] => [
  start(id),
  { type: "task_failed", task: id, message: "no" },
];
const at = (id: string, priority: number, dependsOn?: string[]): RunTask =>
  task(id, { priority, ...(dependsOn && { dependsOn }) });

const [a, b, c] = [at("T-001", 1), at("T-002", 2), at("T-003", 3)];

test.each<[string, RunTask[], Fact[], string[], boolean?]>([
  ["lower priority first", [c, a, b], [], ["T-001"]],
  ["equal priorities are independent, in order of id", [at("T-002", 1), a], [], ["T-001", "T-002"]],
  ["the barrier holds while one runs", [a, b], [start("T-001")], []],
  ["the barrier opens when it passed", [a, b], passing("T-001"), ["T-002"]],
  ["a failure stops everything of a later priority", [a, b, c], gaveUp("T-001"), []],
  ["with --keep-going the rest goes on", [a, b, c], gaveUp("T-001"), ["T-002"], true],
  ["a failure leaves its own priority alone", [a, at("T-002", 1), c], gaveUp("T-001"), ["T-002"]],
  ["dependsOn replaces the barrier", [a, at("T-002", 2, [])], [start("T-001")], ["T-002"]],
  [
    "dependsOn waits for its own tasks only",
    [a, b, at("T-003", 3, ["T-001"])],
    passing("T-001"),
    ["T-002", "T-003"],
  ],
  [
    "a lost dependency stops its dependents, even with --keep-going",
    [a, b, at("T-003", 3, ["T-001"])],
    gaveUp("T-001"),
    ["T-002"],
    true,
  ],
  [
    "dependents of dependents stop too",
    [a, at("T-002", 1, ["T-001"]), at("T-003", 1, ["T-002"])],
    gaveUp("T-001"),
    [],
  ],
  [
    "a dependency of a later priority is not held up by its dependent",
    [at("T-001", 1, ["T-002"]), b],
    [],
    ["T-002"],
  ],
  ["the barrier yields in a mixed knot", [at("T-001", 1, ["T-003"]), b, c], [], ["T-002"]],
])("%s", (_, tasks, facts, ids, keepGoing = false) => {
  expect(readyTasks(runOf(tasks, facts), keepGoing).map(({ task: { id } }) => id)).toEqual(ids);
});

test("tasks that were not selected block no other task and never start", () => {
  const state = runOf([a, b, c]);
  const only = { ...state, session: { ...state.session, selected: ["T-003"] } };
  expect(readyTasks(only, false).map(({ task: { id } }) => id)).toEqual(["T-003"]);
});
