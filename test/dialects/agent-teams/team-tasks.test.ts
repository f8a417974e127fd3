import { expect, test } from "vitest";
import { agentTeams } from "../../../src/dialects/agent-teams/agent-teams.ts";
import { checkForeignList } from "../../../src/schema/tasks/foreign/check-foreign-list.ts";
import { goal, treeOf } from "./team-goal.ts";

const folder = ".ralph/specs/auth/implementation";
const about = { kind: "list", source: "imported-prd", file: folder } as const;
const taken = (files: Record<string, string>) =>
  checkForeignList(agentTeams.tasks(treeOf(files))?.list, about);

test("a goal becomes a list in the order of its plan, with its dependencies", () => {
  const { data, findings } = taken(goal);
  expect(findings).toEqual([]);
  expect(data).toMatchObject({
    project: "auth",
    description: "Users need a way in.",
    branchName: "ralph/auth",
    metadata: {
      sourceFile: folder,
      idMap: {
        "T-001": "step01/task-02-store.code-task.md",
        "T-002": "step01/task-01-login.code-task.md",
        "T-003": "step02/task-01-logout.code-task.md",
      },
    },
    tasks: [
      { id: "T-001", title: "Store", passes: true, dependsOn: [] },
      { id: "T-002", title: "Log in", passes: false, dependsOn: [] },
      {
        id: "T-003",
        title: "Log out",
        dependsOn: ["T-002", "T-001"],
        acceptanceCriteria: ["Gone, Given a session, When it ends, Then it is gone", "It is told"],
      },
    ],
  });
});

test.each([
  ["an unknown file", "## Blocked-By: step09/no.code-task.md\n", "dependsOn"],
  ["itself", "## Blocked-By: step01/task-01-login.code-task.md\n", "dependsOn"],
])("a task that waits for %s is an error", (_, header, key) => {
  const path = `${folder}/step01/task-01-login.code-task.md`;
  const files = { ...goal, [path]: `${header}# Task: x\n\n## Acceptance Criteria\n- y\n` };
  const { data, findings } = taken(files);
  expect(data).toBeUndefined();
  expect(findings.some(({ path: at }) => at.includes(key))).toBe(true);
});

test("a task without criteria is an error, one that is too long is cut", () => {
  const path = `${folder}/step01/task-01-login.code-task.md`;
  expect(taken({ ...goal, [path]: "# Task: x\n" }).data).toBeUndefined();
  const long = `# Task: ${"t".repeat(300)}\n\n## Description\n${"d".repeat(5000)}\n\n## Acceptance Criteria\n- ${"c".repeat(900)}\n`;
  const { data, findings } = taken({ ...goal, [path]: long });
  expect(findings).toEqual([]);
  expect(data?.tasks[1]?.description).toContain(`The whole task: ${path}`);
});

test("of several goals the one with open tasks is taken", () => {
  const done = "## Status: COMPLETED\n# Task: a\n\n## Acceptance Criteria\n- b\n";
  const files = { "specs/a/implementation/step01/task-01-a.code-task.md": done, ...goal };
  expect(agentTeams.tasks(treeOf(files))?.path).toBe(folder);
});

test("a team is active while a task runs, until it is aborted or becomes stale", () => {
  const now = "2026-02-10T15:00:00.000Z";
  const read = (files: Record<string, string>) => agentTeams.read(treeOf(files), now);
  expect(read(goal)).toEqual([
    {
      id: undefined,
      path: folder,
      isActive: true,
      phase: "executing",
      detail: "3 tasks: 1 pending, 1 in progress, 1 completed",
    },
  ]);
  expect(read({ ...goal, ".ralph/ABORT": "" })[0]).toMatchObject({
    isActive: false,
    phase: "cancelled",
  });
  const old = JSON.stringify({ last_updated: "2026-02-10T10:00:00Z" });
  expect(read({ ...goal, ".ralph/metrics.json": old })[0]?.isActive).toBe(false);
});

test("cancelling stops the team, and its running tasks become pending", () => {
  const asked = { id: undefined, now: "2026-02-10T15:00:00.000Z" };
  const [abort, task, ...rest] = agentTeams.cancel(treeOf(goal), asked);
  expect(abort).toMatchObject({ path: ".ralph/ABORT" });
  expect(rest).toEqual([]);
  const path = `${folder}/step01/task-01-login.code-task.md`;
  expect(task?.path).toBe(path);
  const merged = task && "merge" in task ? task.merge(goal[path]) : undefined;
  expect(merged).toBe(goal[path]?.replace("IN_PROGRESS", "PENDING"));
  expect(agentTeams.cancel(treeOf(goal), { ...asked, id: "other" })).toEqual([]);
});
