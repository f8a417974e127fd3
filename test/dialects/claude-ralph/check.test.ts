import { describe, expect, test } from "vitest";
import { claudeRalph } from "../../../src/dialects/claude-ralph/claude-ralph.ts";
import { planIdOf } from "../../../src/dialects/claude-ralph/paths.ts";
import { checkForeignText } from "../../../src/entry/foreign-tree.ts";
import { renderProblem } from "../../../src/error.ts";
import { given, putFile, queueStory, stepsOf } from "../../support/builders/queue-story.ts";

const folder = ".claude/ralph";
const queuePath = `${folder}/task-queue-plan.json`;
const retryPath = `${folder}/retry-queue-plan.json`;
const progressPath = `${folder}/progress-plan.json`;
const agentPath = `${folder}/agent-state-agent-1.json`;

const at = "2026-01-25T14:30:52+00:00";
const entry = {
  id: "t1",
  description: "Add a login",
  status: "pending",
  claimed_by: null,
  retries: 0,
  dependencies: [],
  created_at: at,
  claimed_at: null,
  completed_at: null,
};
const queueWith = (...tasks: object[]) => ({
  tasks: tasks.map((each) => ({ ...entry, ...each })),
  created_at: at,
  plan_id: "plan",
});

const told = (path: string, text: string) => {
  const { problems, warnings } = checkForeignText(claudeRalph, path, text);
  return { problems: problems.map(renderProblem), warnings: warnings.map(renderProblem) };
};
const toldOf = (path: string, value: unknown) => told(path, JSON.stringify(value, null, 2));

test.each([
  queuePath,
  retryPath,
  progressPath,
  agentPath,
  `${folder}/task-queue.json`,
  `${folder}/progress.json`,
  `${folder}/archive/20260125-143052-a7b3c9/task-queue-plan.json`,
])("%s is one of its files", (path) => {
  expect(claudeRalph.owns(path)).toBe(true);
});

test.each([
  `${folder}/task-queue.lock`,
  `${folder}/task-queue-plan.json.lock`,
  `${folder}/a/task-queue-plan.json`,
  `${folder}/task-queue-a/b.json`,
  `${folder}/agent-state.json`,
  `${folder}/archive/task-queue-plan.json`,
  `sub/${queuePath}`,
  ".claude/settings.json",
  "constructor",
])("%s is not a file of the dialect", (path) => {
  expect(claudeRalph.owns(path)).toBe(false);
});

test.each([
  ["ralph/add-login", "ralph-add-login"],
  ["Feature/Über_1.2", "feature-ber-1-2"],
  ["--..//", "plan"],
  [`ralph/${"a".repeat(300)}`, `ralph-${"a".repeat(74)}`],
])("the plan of the branch %s is %s", (branch, plan) => {
  expect(planIdOf(branch)).toBe(plan);
});

/** One file of each kind, as a run of ours writes them. */
function samples(): Map<string, string> {
  const tree = new Map<string, string>();
  for (const state of stepsOf(queueStory.slice(0, 9)))
    for (const file of claudeRalph.render(state, given)) putFile(tree, file);
  return tree;
}

/** Every place in a value, and the value with something else there. */
function* replaced(value: unknown, wrong: unknown): Generator<unknown> {
  yield wrong;
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    for (const each of replaced(member, wrong)) {
      yield Array.isArray(value)
        ? value.with(Number(key), each)
        : { ...(value as Record<string, unknown>), [key]: each };
    }
  }
}

describe.each([...samples()])("%s", (path, text) => {
  test("is sound as it is, also with fields of a newer version", () => {
    expect(told(path, text)).toEqual({ problems: [], warnings: [] });
    expect(toldOf(path, { ...JSON.parse(text), newer: true }).problems).toEqual([]);
  });

  test("is refused with a wrong type anywhere", () => {
    // Neither fits anywhere: not even a list may hold them.
    for (const wrong of [true, { a: [{}] }]) {
      for (const value of replaced(JSON.parse(text), wrong)) {
        expect(toldOf(path, value).problems.length, JSON.stringify(value)).toBeGreaterThan(0);
      }
    }
  });

  test("is refused when any of its fields is missing", () => {
    for (const key of Object.keys(JSON.parse(text))) {
      const { [key]: _, ...rest } = JSON.parse(text);
      expect(toldOf(path, rest).problems.join()).toContain(`${key} is missing`);
    }
  });

  test("is refused with a repeated or reserved key", () => {
    expect(told(path, text.replace("{", '{"plan_id": "a",')).problems).not.toEqual([]);
    expect(told(path, text.replace("{", '{"__proto__": {},')).problems).not.toEqual([]);
  });
});

test.each([
  [{ id: "../t1" }, 'tasks[0].id must be one word without "/" and without ".."'],
  [{ id: "" }, "tasks[0].id must be one word"],
  [{ dependencies: ["t9"] }, 'tasks[0].dependencies[0] names "t9", which is not a task'],
  [{ dependencies: ["t1"] }, "tasks[0].dependencies closes a cycle: t1 -> t1"],
  [{ status: "started" }, 'tasks[0].status must be "pending" or "claimed" or "done" or "failed"'],
  [{ status: "claimed" }, "tasks[0].claimed_by is null; a claimed task names its agent"],
  [{ claimed_by: "agent-one" }, 'tasks[0].claimed_by must be "agent-" and a number'],
  [{ retries: -1 }, "tasks[0].retries must be at least 0"],
  [{ created_at: "2026-01-25T14:30:52" }, "tasks[0].created_at must be a time such as"],
])("a task with %o is refused", (change, message) => {
  expect(toldOf(queuePath, queueWith(change)).problems.join("\n")).toContain(message);
});

test("circles of several tasks and tasks of one name are refused", () => {
  const circle = queueWith({ dependencies: ["t2"] }, { id: "t2", dependencies: ["t1"] });
  expect(toldOf(queuePath, circle).problems.join()).toContain("closes a cycle: t1 -> t2 -> t1");
  const twice = toldOf(queuePath, queueWith({}, {})).problems.join();
  expect(twice).toContain('tasks[1].id "t1" is that of tasks[0] too');
});

test("oddities that do no harm are warnings", () => {
  const queue = queueWith(
    { status: "done" },
    { id: "t2", claimed_by: "agent-1" },
    { id: "t3", status: "claimed", claimed_by: "agent-1", claimed_at: at },
    { id: "t4", status: "claimed", claimed_by: "agent-1" },
  );
  expect(toldOf(queuePath, queue)).toEqual({
    problems: [],
    warnings: [
      expect.stringContaining(
        "tasks[0].completed_at is null; it is required for a task that is done",
      ),
      expect.stringContaining("tasks[1].claimed_by names an agent, though the task is pending"),
      expect.stringContaining("tasks[3].claimed_at is null; a stale claim"),
      expect.stringContaining("tasks[3].claimed_by agent-1 has another task too"),
    ],
  });
  const named = toldOf(queuePath, { ...queueWith(), plan_id: "other" }).warnings.join();
  expect(named).toContain('plan_id is "other", though the file is named for "plan"');
});

test.each([1, 2, 3, 4])("attempt %i of 3 is read", (attempt) => {
  const base = { task_id: "t1", agent_id: "agent-1", error: "red", queued_at: at, max_retries: 3 };
  const { problems, warnings } = toldOf(retryPath, {
    retries: [{ ...base, attempt }],
    plan_id: "plan",
  });
  expect([problems.length, warnings.length]).toEqual([0, attempt < 3 ? 0 : 1]);
});

test("a retry of a task that is not in the queue is reported for its file", () => {
  const retry = { task_id: "t9", agent_id: "agent-1", attempt: 1, error: "", queued_at: at };
  const tree = new Map([
    [queuePath, JSON.stringify(queueWith({}))],
    [retryPath, JSON.stringify({ retries: [{ ...retry, max_retries: 3 }], plan_id: "plan" })],
  ]);
  expect(claudeRalph.checkTree?.(tree)).toMatchObject([
    { severity: "error", file: retryPath, path: ["retries", 0, "task_id"] },
  ]);
});
