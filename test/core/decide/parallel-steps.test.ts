import { expect, test } from "vitest";
import { parallelSteps } from "../../../src/core/decide/parallel-steps.ts";
import type { RunTask } from "../../../src/core/state/event.ts";
import { task } from "../../support/builders/session.ts";

const at = (id: string, priority: number, more: Partial<RunTask> = {}) =>
  task(id, { priority, ...more });

test.each<[string, RunTask[], string[][]]>([
  ["priorities of their own", [at("T-001", 1), at("T-002", 2)], [["T-001"], ["T-002"]]],
  [
    "the same priority",
    [at("T-001", 1), at("T-002", 1), at("T-003", 2)],
    [["T-001", "T-002"], ["T-003"]],
  ],
  [
    "dependencies in place of priorities",
    [
      at("T-001", 1),
      at("T-002", 2, { dependsOn: ["T-001"] }),
      at("T-003", 3, { dependsOn: ["T-001"] }),
      at("T-004", 4, { dependsOn: [] }),
    ],
    [
      ["T-001", "T-004"],
      ["T-002", "T-003"],
    ],
  ],
  ["one that has passed before", [at("T-001", 1, { passes: true }), at("T-002", 1)], [["T-002"]]],
])("tasks with %s", (_, tasks, groups) => {
  const selected = tasks.map(({ id }) => id);
  expect(parallelSteps(tasks, selected)).toEqual(groups);
});

test("only what was selected is in it", () => {
  expect(parallelSteps([at("T-001", 1), at("T-002", 1)], ["T-002"])).toEqual([["T-002"]]);
});
