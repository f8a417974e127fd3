import { describe, expect, test } from "vitest";
import { checkableOf, draftTasks } from "../../../src/autopilot/planning/draft-tasks.ts";
import { judgeTasks } from "../../../src/autopilot/planning/task-answer.ts";
import { checkPrd } from "../../../src/schema/tasks/check-prd.ts";
import {
  createModelContext,
  facts,
  goodAnalysis,
  goodTasks,
  scriptedModel,
} from "../../support/autopilot/team.ts";

const { first_line: _, last_line: __, ...analysis } = goodAnalysis();
const source = { path: "reports/a.md", sha256: "0".repeat(64), lines: { first: 3, last: 4 } };
const request = {
  ...{ analysis, source, project: facts, branch: "ralph/login-form" },
  requirements: [
    { id: "FR-1", text: "It keeps its text" },
    { id: "FR-2", text: "A test covers it" },
  ],
  range: { min: 2, max: 4 },
  prdPath: "tasks/prd-login-form.md",
};
const range = { min: 1, max: 15 };
const tasksOf = (value: unknown, wanted = range) => {
  const judged = judgeTasks(value, wanted);
  if (judged.kind === "bad") throw new Error(judged.problems.join("\n"));
  return judged.data;
};
const draft = (answer: unknown) =>
  draftTasks(createModelContext(scriptedModel(JSON.stringify(answer))), request);

test("a task list is numbered, with no task passed, its trace and the share of checkable criteria", async () => {
  const drafted = await draft(goodTasks(2));
  expect(drafted.prd).toMatchObject({
    version: "1",
    project: "Repair the login form",
    branchName: "ralph/login-form",
    metadata: {
      source: "autopilot",
      sourceFile: "tasks/prd-login-form.md",
      author: "ralph-autopilot",
    },
    tasks: [
      { id: "T-001", priority: 1, passes: false },
      { id: "T-002", priority: 2, passes: false },
    ],
  });
  expect(checkPrd(JSON.parse(drafted.text)).findings).toEqual([]);
  expect(drafted.checkable).toEqual({ count: 2, total: 4 });
  expect(drafted.prd.metadata?.trace).toEqual({
    source,
    item: "Repair the login form",
    requirements: request.requirements,
    tasks: [
      { id: "T-001", requirements: ["FR-1"] },
      { id: "T-002", requirements: ["FR-1"] },
    ],
    uncovered: ["FR-2"],
  });
});

test("an answer with too few tasks is sent back once", async () => {
  const model = scriptedModel(JSON.stringify(goodTasks(1)), JSON.stringify(goodTasks(3)));
  const { prd } = await draftTasks(createModelContext(model), request);
  expect(prd.tasks).toHaveLength(3);
  expect(model.questions[1]?.prompt).toContain("tasks has 1 entries; write 2 to 4");
});

test.each([
  ["too few", goodTasks(1), "tasks has 1 entries; write 2 to 4"],
  ["too many", goodTasks(5), "tasks has 5 entries; write 2 to 4"],
  ["a flood", goodTasks(1000), "tasks has 1000 entries; write 2 to 4"],
  ["a thousand", goodTasks(1000), "tasks"],
  ["none", { tasks: [] }, "tasks has 0 entries"],
  [
    "the same task four times",
    goodTasks(4, { title: "Write it" }),
    "tasks has 1 entries (3 repeated ones",
  ],
  ["no list", { tasks: "T-001" }, "tasks must be"],
  [
    "wrong types",
    { tasks: [{ title: 1, description: [], acceptanceCriteria: "x" }] },
    "tasks[0].title",
  ],
  ["no criteria", goodTasks(3, { acceptanceCriteria: [] }), "acceptanceCriteria"],
  [
    "a criterion that would have to be cut",
    goodTasks(3, { acceptanceCriteria: ["x".repeat(501)] }),
    "acceptanceCriteria",
  ],
])("%s: exit 13", async (_title, answer, message) => {
  await expect(draft(answer)).rejects.toMatchObject({
    exitCode: 13,
    message: expect.stringContaining(message),
  });
});

describe("the tasks of an answer", () => {
  test("have not passed, and carry no unknown key", () => {
    const [first] = tasksOf(
      goodTasks(1, {
        id: "T-777",
        passes: true,
        notes: "done",
        skill: "evil",
        dependsOn: ["T-999"],
      }),
    );
    expect(first?.task).toEqual({
      id: "T-001",
      title: "Write part 1 of number 1",
      description: "As the requirement says.",
      acceptanceCriteria: ["File `src/part-1.ts` exists", "It reads well"],
      priority: 1,
      passes: false,
      notes: "",
    });
  });

  test("are sorted by priority and numbered again, even with repeated ids", () => {
    const { tasks } = goodTasks(3);
    const mixed = tasks.map((task, at) => ({ ...task, id: "T-001", priority: [5, 1, 5][at] }));
    expect(tasksOf({ tasks: mixed }).map(({ task }) => [task.id, task.title.at(-1)])).toEqual([
      ["T-001", "2"],
      ["T-002", "1"],
      ["T-003", "3"],
    ]);
  });

  test("hold no hidden or control character, and are cut to the limits of a task list", () => {
    const [first] = tasksOf(
      goodTasks(1, {
        title: `A\u202eB\n\u001b[31m${"x".repeat(300)}`,
        description: `a\u0000b\u200b\n${"y".repeat(3000)}`,
        acceptanceCriteria: ["Run `npm\u2063 test` - exits with code 0"],
      }),
    );
    expect(first?.task.title).toMatch(/^AB x+…$/);
    expect(first?.task.title).toHaveLength(100);
    expect(first?.task.description).toMatch(/^ab\ny+…$/);
    expect(first?.task.description).toHaveLength(2000);
    expect(first?.task.acceptanceCriteria).toEqual(["Run `npm test` - exits with code 0"]);
  });

  test("require tests unless the answer says otherwise", () => {
    const [with1] = tasksOf(goodTasks(1, { requiresTests: "yes" }));
    const [without] = tasksOf(goodTasks(1, { requiresTests: false }));
    expect(with1?.task.requiresTests).toBeUndefined();
    expect(without?.task.requiresTests).toBe(false);
  });
});

test("only criteria that a program checks count as checkable", () => {
  const acceptanceCriteria = [
    "Run `npm test` - exits with code 0",
    "File `a.ts` exists",
    "File `a.ts` contains `x`",
    "GET /x returns 200",
    "It is fast",
  ];
  expect(checkableOf([{ acceptanceCriteria }])).toEqual({ count: 3, total: 5 });
});
