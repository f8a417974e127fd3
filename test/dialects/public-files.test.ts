import { describe, expect, test } from "vitest";
import { readHeader, taskStatusOf } from "../../src/dialects/agent-teams/schema/task.ts";
import { omc } from "../../src/dialects/omc/omc.ts";
import { checkForeignText } from "../../src/entry/foreign-tree.ts";
import { parseTaskFile } from "../../src/sources/task-file.ts";

const path = ".omc/ralph-state.json";
const now = "2026-11-23T00:00:00Z";

describe("states of oh-my-claudecode as its versions have left them", () => {
  const finished = {
    active: false,
    iteration: 7,
    max_iterations: 10,
    started_at: "2026-01-20T09:00:00.000Z",
    prompt: "Build it",
    completed_at: "2026-01-20T11:30:00.000Z",
  };

  test("a finished one without a session is sound, and complete", () => {
    expect(checkForeignText(omc, path, JSON.stringify(finished)).problems).toEqual([]);
    const [run] = omc.read(new Map([[path, JSON.stringify(finished)]]), now);
    expect(run).toMatchObject({ id: undefined, isActive: false, phase: "complete" });
  });

  test("one that holds nothing but its end is sound", () => {
    expect(checkForeignText(omc, path, '{"active": false}').problems).toEqual([]);
  });

  test("an active one that is months old is not at work", () => {
    const old = JSON.stringify({ ...finished, active: true });
    expect(omc.read(new Map([[path, old]]), now)).toMatchObject([{ isActive: false }]);
  });

  test("an active one without its progress is a problem with a place", () => {
    const { problems } = checkForeignText(omc, path, '{\n  "active": true\n}');
    expect(problems.map(({ message }) => message)).toContain(
      "iteration is missing; an active loop needs it",
    );
  });
});

test.each([
  ["Status: DONE", "COMPLETED"],
  ["Status: done", "COMPLETED"],
  ["Status: In Progress", "IN_PROGRESS"],
  ["Status: TODO", "PENDING"],
  ["Status: Perhaps", undefined],
])("a task with %s is %s", (line, status) => {
  expect(taskStatusOf(readHeader(`## ${line}\n\n# Task\n`))).toBe(status);
});

describe("lists in other scripts and of other sizes", () => {
  const listOf = (tasks: object[]) =>
    Buffer.from(JSON.stringify({ project: "مشروع", description: "项目说明", tasks }));
  const entry = (number: number, title: string) => ({
    ...{ id: `T-${String(number).padStart(3, "0")}`, title, description: title },
    ...{
      acceptanceCriteria: ["登录表单可以打开", "النموذج يعمل"],
      priority: number,
      passes: false,
    },
  });

  test("right-to-left and Chinese texts stay as they are", () => {
    const bytes = listOf([entry(1, "إضافة نموذج تسجيل الدخول"), entry(2, "添加登录表单")]);
    const { prd } = parseTaskFile(bytes, "prd.json");
    expect(prd.tasks.map(({ title }) => title)).toEqual([
      "إضافة نموذج تسجيل الدخول",
      "添加登录表单",
    ]);
  });

  test("thirty tasks load", () => {
    const tasks = Array.from({ length: 30 }, (_, at) => entry(at + 1, `Task ${at + 1}`));
    expect(parseTaskFile(listOf(tasks), "prd.json").prd.tasks).toHaveLength(30);
  });

  test("stories of another tool load under ids of this one", () => {
    const stories = [
      {
        id: "US-001",
        title: "Log in",
        acceptanceCriteria: ["It opens"],
        priority: 1,
        passes: true,
      },
      {
        id: "US-002",
        title: "Log out",
        acceptanceCriteria: ["It ends"],
        priority: 2,
        passes: false,
      },
    ];
    const bytes = Buffer.from(JSON.stringify({ project: "p", userStories: stories }));
    const { prd } = parseTaskFile(bytes, "prd.json");
    expect(prd.tasks.map(({ id, passes }) => [id, passes])).toEqual([
      ["T-001", true],
      ["T-002", false],
    ]);
  });
});

test("a parent that is marked as passed with an open part is open", () => {
  const subtask = { id: "T-001.1", title: "s", acceptanceCriteria: ["a"], passes: false };
  const parent = {
    ...{ id: "T-001", title: "t", description: "d", acceptanceCriteria: ["a"], priority: 1 },
    ...{ passes: true, subtasks: [subtask] },
  };
  const bytes = Buffer.from(JSON.stringify({ project: "p", description: "d", tasks: [parent] }));
  const { prd, warnings } = parseTaskFile(bytes, "prd.json");
  expect(prd.tasks[0]?.passes).toBe(false);
  expect(warnings.map(({ message }) => message)).toContain(
    "tasks[0].passes is true although a subtask has not passed; the task counts as open",
  );
});
