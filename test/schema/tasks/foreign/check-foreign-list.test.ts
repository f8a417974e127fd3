import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderPath } from "../../../../src/schema/base/finding.ts";
import {
  type About,
  checkForeignList,
} from "../../../../src/schema/tasks/foreign/check-foreign-list.ts";
import { taskIds } from "../../../../src/schema/tasks/foreign/entries.ts";
import { growthOf, linear } from "../../../support/measures/growth.ts";

const request: About = { kind: "cr", source: "imported-cr", file: "CR-A.md", project: "A" };
const list: About = { kind: "list", source: "imported-prd", file: "prd.json" };

const item = (more: object = {}) => ({ description: "Do it", steps: ["It works"], ...more });

const tasksOf = (value: unknown, about = list) => checkForeignList(value, about).data?.tasks ?? [];
const linesOf = (value: unknown, about = list) =>
  checkForeignList(value, about).findings.map(
    ({ severity, path, message }) => `${severity}: ${renderPath(path)} ${message}`,
  );

test("an entry of a change request becomes a task (specs 004 3.7)", () => {
  const entry = item({ id: "CR-FEAT-7", category: "setup", passes: true });
  expect(checkForeignList([entry], request).data).toEqual({
    project: "A",
    description: "A",
    metadata: { source: "imported-cr", sourceFile: "CR-A.md", idMap: { "T-007": "CR-FEAT-7" } },
    tasks: [
      {
        id: "T-007",
        title: "Do it",
        description: "Do it",
        acceptanceCriteria: ["It works"],
        priority: 1,
        passes: true,
        notes: "Imported from CR-FEAT-7. Category: setup.",
      },
    ],
  });
});

test("the old format without ids, categories and passes is taken too (specs 004 9.1)", () => {
  expect(tasksOf([item(), item()], request)).toMatchObject([
    { id: "T-001", passes: false, notes: "" },
    { id: "T-002", passes: false, priority: 2 },
  ]);
});

describe("ids", () => {
  const ids = (...names: unknown[]) => taskIds(names.map((id) => ({ id })));

  test.each<[unknown[], string[]]>([
    [
      ["CR-A-2", "CR-A-1"],
      ["T-002", "T-001"],
    ],
    [
      ["US-001", 7],
      ["T-001", "T-007"],
    ],
    [
      ["A-1", "B-1"],
      ["T-001", "T-002"],
    ],
    [
      ["A-5", "login"],
      ["T-001", "T-002"],
    ],
    [
      ["A-1000", "A-5"],
      ["T-001", "T-002"],
    ],
    [["A-0"], ["T-001"]],
    [["A-00000000000007"], ["T-007"]],
    [[`A-${"0".repeat(30)}7`], ["T-001"]],
  ])("of %j", (names, expected) => {
    expect(ids(...names)).toEqual(expected);
  });

  test("are unique and valid whatever the source has", () => {
    const name = fc.oneof(
      fc.string(),
      fc.nat({ max: 1200 }),
      fc.constant(undefined),
      fc.anything(),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (names) => {
        const made = ids(...names);
        expect(new Set(made).size).toBe(names.length);
        for (const id of made) expect(id).toMatch(/^T-\d{3}$/);
      }),
    );
  });

  test("are found in time that is linear in their length", () => {
    expect(growthOf((size) => ids(`${"1".repeat(size)}x`), 30_000)).toBeLessThan(linear);
  });

  test("of subtasks follow, all by their place when one is of another kind", () => {
    const part = { title: "Part", acceptanceCriteria: ["It works"] };
    const partsOf = (...names: (string | undefined)[]) =>
      tasksOf([item({ id: "US-4", subtasks: names.map((id) => ({ ...part, id })) })])[0]?.subtasks;
    expect(partsOf("US-4a", undefined)).toEqual([
      { ...part, id: "T-004.1", passes: false },
      { ...part, id: "T-004.2", passes: false },
    ]);
    const own = item({ id: "T-004", subtasks: [{ ...part, id: "T-004.7", passes: true }] });
    expect(tasksOf([own])[0]?.subtasks).toMatchObject([{ id: "T-004.7", passes: true }]);
  });

  test("dependencies follow", () => {
    const [, second] = tasksOf([
      item({ id: "US-004" }),
      item({ id: "US-009", dependsOn: ["US-004"] }),
    ]);
    expect(second?.dependsOn).toEqual(["T-004"]);
  });
});

test.each<[string, object]>([
  ["userStories", { userStories: [item({ acceptanceCriteria: ["It works"], title: "Do it" })] }],
  ["stories", { stories: [{ title: "Do it", acceptance: ["It works"] }] }],
  ["items", { items: [{ name: "Do it", stepsToVerify: ["It works"] }] }],
  ["features", { features: [{ title: "Do it", criteria: "It works" }] }],
  ["objects as criteria", [{ title: "Do it", acceptanceCriteria: [{ text: "It works" }] }]],
])("a list of %s", (_, value) => {
  expect(tasksOf(value)).toMatchObject([
    { id: "T-001", title: "Do it", description: "Do it", acceptanceCriteria: ["It works"] },
  ]);
});

test.each<[object, boolean]>([
  [{ passes: true }, true],
  [{ passed: true }, true],
  [{ completed: true }, true],
  [{ status: "done" }, true],
  [{ status: "Completed" }, true],
  [{ status: "in progress" }, false],
  [{ passes: false, status: "done" }, false],
  [{}, false],
])("%j means passes: %s", (said, passes) => {
  expect(tasksOf([item(said)])[0]?.passes).toBe(passes);
});

test.each<[unknown[], number[]]>([
  [
    [5, 7],
    [5, 7],
  ],
  [
    ["High", "low", "medium"],
    [1, 3, 2],
  ],
  [
    [undefined, undefined],
    [1, 2],
  ],
  [
    [0, 10],
    [1, 2],
  ],
  [
    [2000, 1.5],
    [2, 1],
  ],
])("the priorities %j are taken as %j", (said, expected) => {
  const tasks = tasksOf(said.map((priority) => item({ priority })));
  expect(tasks.map(({ priority }) => priority)).toEqual(expected);
});

test("by category each band is filled as far as there is room", () => {
  const categories = [...Array(11).fill("setup"), "docs", "fix", "feature", "backend", "test"];
  const entries = categories.map((category) => item({ category }));
  const tasks = tasksOf(entries, { ...request, groupByCategory: true });
  expect(tasks.map(({ priority }) => priority)).toEqual([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10],
    ...[96, 31, 32, 11, 91],
  ]);
});

test("project and description are found by other names, and shortened", () => {
  const value = { productName: " My\napp ", description: "x".repeat(600), items: [item()] };
  const { data } = checkForeignList(value, list);
  expect(data?.project).toBe("My app");
  expect(data?.description).toHaveLength(500);
  expect(linesOf(value)).toEqual(["warning: description has 600 characters; 500 of them are kept"]);
});

test("a long description is cut for the title and stays whole", () => {
  const description = `${"😀".repeat(70)} end`;
  const [task] = tasksOf([item({ description })], request);
  expect(task?.title.length).toBeLessThanOrEqual(100);
  expect(task?.title.isWellFormed()).toBe(true);
  expect(task?.description).toBe(description);
});

test("all mistakes are reported at once, by the names of the source", () => {
  const value = [
    item({ id: "A-1", steps: [] }),
    item({ id: "A-1", steps: ["x".repeat(20_001), 7] }),
    { id: "A-3", steps: ["x"], passes: "yes" },
    "nonsense",
    { id: "A-5", description: "d" },
  ];
  expect(linesOf(value, request)).toEqual([
    'error: [1].id repeats "A-1" of entry 1',
    "error: [3] must be an object with description and steps",
    "error: [0].steps must not be empty",
    "error: [1].steps[0] must have at most 20000 characters",
    "error: [1].steps[1] must be text, not 7; put it in quotes",
    "error: [2].description is missing; add it",
    "error: [2].passes must be true or false, not text; write true",
    "error: [4].steps is missing; add it",
  ]);
});

test("in lists of other tools too", () => {
  const value = {
    project: "x",
    userStories: [{ id: "US-1", title: "t", priority: "soon" }, item({ dependsOn: ["US-9"] })],
  };
  expect(linesOf(value)).toEqual([
    "error: userStories[0].priority must be a number, or high, medium or low",
    "error: userStories[0].acceptanceCriteria is missing; add it",
    'error: userStories[1].dependsOn[0] must look like "T-001"',
    'error: userStories[1].dependsOn[0] names "US-9", which is not a task of this list',
  ]);
});

test("what is odd is a warning: unknown categories and keys", () => {
  expect(linesOf([item({ category: "tests", effort: 3, depends: [] })], request)).toEqual([
    "warning: [0].effort is not a key of a task; it is not used",
    'warning: [0].depends is not a key of a task; it is not used (did you mean "dependsOn"?)',
    'warning: [0].category is "tests", which is not a known category; did you mean "testing"?',
  ]);
});

test.each([{}, { items: 7 }, "text", null, 7])("%j is no list", (value) => {
  expect(linesOf(value)).toEqual(["error: the document must be a list of tasks"]);
});

test("more than 999 entries are refused, for there are no more ids", () => {
  expect(linesOf(Array(1000).fill(item()))).toEqual([
    "error: the document has 1000 entries; a task list holds at most 999",
  ]);
});

test("whatever the value is, nothing is thrown, and what is accepted is valid", () => {
  fc.assert(
    fc.property(fc.anything(), fc.array(fc.anything()), (value, items) => {
      for (const each of [value, items, { userStories: items }]) {
        const { data, findings } = checkForeignList(each, request);
        expect(data === undefined).toBe(findings.some(({ severity }) => severity === "error"));
      }
    }),
  );
});
