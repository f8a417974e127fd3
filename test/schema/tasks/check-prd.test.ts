import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderPath } from "../../../src/schema/base/finding.ts";
import { checkPrd } from "../../../src/schema/tasks/check-prd.ts";

const task = (number: number, changes: object = {}) => ({
  id: `T-${String(number).padStart(3, "0")}`,
  title: "Add a login form",
  description: "People must be able to log in",
  acceptanceCriteria: ["File `login.ts` exists"],
  priority: number,
  passes: false,
  ...changes,
});

const subtask = (id: string, changes: object = {}) => ({
  id,
  title: "Part",
  acceptanceCriteria: [],
  passes: false,
  ...changes,
});

const list = (tasks: unknown, changes: object = {}) => ({
  project: "Login",
  branchName: "ralph/login",
  description: "Log in and out",
  tasks,
  ...changes,
});

const linesOf = (value: unknown) =>
  checkPrd(value).findings.map(
    ({ severity, path, message }) => `${severity}: ${renderPath(path)} ${message}`,
  );

test("a list with every known key is sound and comes back unchanged", () => {
  const full = list(
    [
      task(1, {
        notes: "",
        requiresTests: false,
        affectsFrontend: true,
        skill: "forms",
        subtasks: [subtask("T-001.1", { independent: true, notes: "", promotedTo: "T-002" })],
      }),
      task(2, { dependsOn: ["T-001"] }),
    ],
    { version: "1", metadata: { source: "manual", anything: [1] } },
  );
  const { data, findings } = checkPrd(full);
  expect(data).toEqual(full);
  expect(findings.map(({ path }) => path.at(-1))).toEqual(["skill"]);
});

describe("errors", () => {
  test.each<[string, unknown, string]>([
    [
      "nothing",
      null,
      "the document must be an object with project, description and tasks, not null",
    ],
    [
      "a list",
      [],
      "the document must be an object with project, description and tasks, not a list",
    ],
    ["no project", { description: "", tasks: [] }, "project is missing; add it"],
    ["tasks as an object", list({}), "tasks must be a list, not an object"],
    [
      "a task as text",
      list(["T-001"]),
      "tasks[0] must be an object with id, title, description, acceptanceCriteria, priority and passes, not text",
    ],
    ["a short id", list([task(1, { id: "T-1" })]), 'tasks[0].id must look like "T-001"'],
    ["an id beyond 999", list([task(1, { id: "T-1000" })]), 'tasks[0].id must look like "T-001"'],
    [
      "a long title",
      list([task(1, { title: "x".repeat(101) })]),
      "tasks[0].title must have at most 100 characters",
    ],
    [
      "no criterion",
      list([task(1, { acceptanceCriteria: [] })]),
      "tasks[0].acceptanceCriteria must not be empty",
    ],
    [
      "an empty criterion",
      list([task(1, { acceptanceCriteria: [""] })]),
      "tasks[0].acceptanceCriteria[0] must not be empty",
    ],
    ["priority zero", list([task(1, { priority: 0 })]), "tasks[0].priority must be at least 1"],
    [
      "half a priority",
      list([task(1, { priority: 1.5 })]),
      "tasks[0].priority must be a whole number, not 1.5",
    ],
    [
      "passes as text",
      list([task(1, { passes: "false" })]),
      "tasks[0].passes must be true or false, not text; remove the quotes",
    ],
    [
      "an option as branch",
      list([task(1)], { branchName: "-x" }),
      'branchName must be a branch name such as "ralph/add-login"',
    ],
    [
      "a title with NUL",
      list([task(1, { title: "a\0" })]),
      "tasks[0].title must not hold a NUL character",
    ],
    [
      "an unknown source",
      list([task(1)], { metadata: { source: "x" } }),
      'metadata.source must be "manual" or "autopilot" or "imported-cr" or "imported-prd"',
    ],
    [
      "one id twice",
      list([task(1), task(2), task(1)]),
      'tasks[2].id repeats "T-001" of tasks[0]; give each task its own id',
    ],
    [
      "a foreign subtask",
      list([task(1, { subtasks: [subtask("T-002.1")] })]),
      'tasks[0].subtasks[0].id must start with "T-001."',
    ],
    [
      "one subtask twice",
      list([task(1, { subtasks: [subtask("T-001.1"), subtask("T-001.1")] })]),
      'tasks[0].subtasks[1].id repeats "T-001.1"; give each subtask its own id',
    ],
    [
      "an unknown dependency",
      list([task(1, { dependsOn: ["T-009"] })]),
      'tasks[0].dependsOn[0] names "T-009", which is not a task of this list',
    ],
    [
      "a circle",
      list([task(1, { dependsOn: ["T-001"] })]),
      "tasks[0].dependsOn closes a cycle: T-001 -> T-001; remove one of these dependencies",
    ],
  ])("%s", (_, value, line) => {
    const result = checkPrd(value);
    expect(result.data).toBeUndefined();
    expect(linesOf(value)).toContain(`error: ${line}`);
  });

  test("what is wrong already is not called odd as well", () => {
    const value = list([task(1), task(2, { priority: 0 })], { branchName: "-x" });
    expect(linesOf(value)).toEqual([
      'error: branchName must be a branch name such as "ralph/add-login"',
      "error: tasks[1].priority must be at least 1",
    ]);
  });

  test("all are found at once, also behind a wrong field", () => {
    const value = list([task(1, { title: 7 }), task(2, { dependsOn: ["T-007"] }), task(2)]);
    const errors = linesOf(value).filter((line) => line.startsWith("error"));
    expect(errors).toEqual([
      "error: tasks[0].title must be text, not 7; put it in quotes",
      'error: tasks[2].id repeats "T-002" of tasks[1]; give each task its own id',
      'error: tasks[1].dependsOn[0] names "T-007", which is not a task of this list',
    ]);
  });
});

describe("warnings leave the list usable", () => {
  test.each<[string, unknown, string]>([
    ["an empty list", list([]), "tasks is empty; add a task before `ralph run`"],
    [
      "shared priorities",
      list([task(1), task(2, { priority: 1 })]),
      "tasks use priority 1 more than once; such tasks have no order between them",
    ],
    ["a gap", list([task(1), task(3)]), "tasks leave a gap in the priorities before 3"],
    [
      "a wide branch name",
      list([task(1)], { branchName: "Feature/A_b-1.2" }),
      "branchName should only hold lower-case letters, digits, hyphens and slashes",
    ],
    [
      "a passed task with an open subtask",
      list([task(1, { passes: true, subtasks: [subtask("T-001.1")] })]),
      "tasks[0].passes is true although a subtask has not passed; the task counts as open",
    ],
    [
      "an unknown key",
      list([task(1, { priorty: 1 })]),
      'tasks[0].priorty is not a known key; it is kept and not used (did you mean "priority"?)',
    ],
    [
      "an unknown key on top",
      list([task(1)], { owner: "x" }),
      "owner is not a known key; it is kept and not used",
    ],
  ])("%s", (_, value, line) => {
    expect(checkPrd(value).data).toBeDefined();
    expect(linesOf(value)).toEqual([`warning: ${line}`]);
  });
});

test.each(["main", "ralph/add-login", "release-1.0", "A/b_c.d-e", "x/-y"])(
  "the branch name %s is read",
  (branchName) => {
    expect(checkPrd(list([task(1)], { branchName })).data?.branchName).toBe(branchName);
  },
);

test.each([
  "",
  "-x",
  "/",
  "a//b",
  "a/",
  "refs/heads/x",
  "a..b",
  "a.lock",
  "a.lock/b",
  "a b",
  "a~1",
  ".a",
  "a/.b",
  "a.",
])("the branch name %j is refused", (branchName) => {
  expect(checkPrd(list([task(1)], { branchName })).data).toBeUndefined();
});

test("anything at all gives findings, never a crash", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(checkPrd(value).findings.length).toBeGreaterThan(0);
    }),
  );
});

test("a sound list survives being written and read", () => {
  const text = fc.string({ minLength: 1, maxLength: 40, unit: "grapheme" });
  const tasks = fc.array(
    fc.record({
      title: text,
      description: text,
      acceptanceCriteria: fc.array(text, { minLength: 1 }),
      passes: fc.boolean(),
    }),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(tasks, text, (bodies, project) => {
      const value = list(
        bodies.map((body, index) => task(index + 1, body)),
        { project },
      );
      expect(checkPrd(JSON.parse(JSON.stringify(value))).data).toEqual(value);
    }),
  );
});
