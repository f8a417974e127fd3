import { expect, test } from "vitest";
import { selectTasks } from "../../../src/session/open/select-tasks.ts";
import { task } from "../../support/builders/session.ts";

const tasks = [
  task("T-003", { priority: 1 }),
  task("T-001", { priority: 2 }),
  task("T-002", { priority: 2, dependsOn: ["T-003"] }),
];

test.for([
  ["nothing: all, by priority and id", {}, ["T-003", "T-001", "T-002"]],
  ["one task", { task: "T-001" }, ["T-001"]],
  ["from a task on, in the order of work", { fromTask: "T-003" }, ["T-003", "T-001", "T-002"]],
] as const)("named: %s", ([, selection, ids]) => {
  expect(selectTasks(tasks, selection)).toEqual(ids);
});

test.for([
  [{ task: "T-009" }, /There is no task T-009\. The list has T-003, T-001, T-002\./],
  [{ fromTask: "T-009" }, /There is no task T-009/],
  [{ fromTask: "T-001" }, /T-002 depends on T-003, which has not passed and comes before T-001/],
  [{ task: "T-002" }, /T-002 depends on T-003, which has not passed/],
] as const)("%o is exit 2", ([selection, message]) => {
  expect(() => selectTasks(tasks, selection)).toThrowError(
    expect.objectContaining({ reason: "source", message: expect.stringMatching(message) }),
  );
});

test("from a task on, where what the rest needs has passed", () => {
  const passed = tasks.map((each) => ({ ...each, passes: each.id === "T-003" }));
  expect(selectTasks(passed, { fromTask: "T-001" })).toEqual(["T-001", "T-002"]);
});

test("a task whose dependency has passed may run alone", () => {
  const passed = tasks.map((each) => ({ ...each, passes: each.id === "T-003" }));
  expect(selectTasks(passed, { task: "T-002" })).toEqual(["T-002"]);
});
