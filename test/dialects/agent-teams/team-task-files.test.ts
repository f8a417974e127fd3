import { expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  liveTeamStatus,
  teamTaskDocuments,
  teamTaskPaths,
} from "../../../src/dialects/agent-teams/team-task-files.ts";
import { withStatus } from "../../../src/dialects/agent-teams/team-task-header.ts";
import { dialectDocumentPaths } from "../../../src/dialects/dialects.ts";
import { configWith } from "../../support/builders/config.ts";
import { passing, runOf, start, task } from "../../support/builders/session.ts";

const done = { status: "COMPLETED", by: "agent-1", at: "2026-02-10T14:30:00.000Z" } as const;

test.each([
  [
    "front matter",
    "---\nStatus: PENDING\nOwner: me\n---\n# T\n",
    "---\nStatus: COMPLETED\nCompleted-By: agent-1\nCompleted-At: 2026-02-10T14:30:00.000Z\nOwner: me\n---\n# T\n",
  ],
  [
    "marked lines",
    "## Status: IN_PROGRESS\n## Blocked-By: a\n## Completed: [DATE when done]\n\n# Task: T\n",
    "## Status: COMPLETED\n## Blocked-By: a\n## Completed: 2026-02-10\n\n# Task: T\n",
  ],
  [
    "marked lines without a day",
    "## Status: PENDING\n## Blocked-By: a\n# Task: T\n",
    "## Status: COMPLETED\n## Completed: 2026-02-10\n## Blocked-By: a\n# Task: T\n",
  ],
  [
    "Windows line breaks",
    "## Status: PENDING\r\n# T\r\n",
    "## Status: COMPLETED\r\n## Completed: 2026-02-10\r\n# T\r\n",
  ],
  [
    "no header",
    "# Task: T\n",
    "---\nStatus: COMPLETED\nCompleted-By: agent-1\nCompleted-At: 2026-02-10T14:30:00.000Z\n---\n# Task: T\n",
  ],
  ["a rule that is no header", "# T\n---\nStatus: x\n", undefined],
])("%s: only the status changes", (_, text, expected) => {
  const next = withStatus(text, done);
  expect(next).toBe(expected ?? next);
  expect(next).toContain("COMPLETED");
  expect(withStatus(next, done)).toBe(next);
});

test.each([
  "---\nStatus: PENDING\nOwner: me\n---\n# T\n",
  "## Status: DONE\n## Blocked-By: a\n# T\n",
  "## Status: PENDING\n## Completed: [DATE]\n\n# T\n",
  "## Blocked-By: a\r\n\r\n# T\r\n",
  "# Task: T\n",
])("an earlier status in the work tree changes no byte of the commit: %j", (text) => {
  for (const status of ["IN_PROGRESS", "BLOCKED"] as const) {
    const live = withStatus(text, { status });
    expect(withStatus(live, done)).toBe(withStatus(text, done));
    expect(liveTeamStatus(text, live)).toBe(status === "BLOCKED" ? "ended" : "running");
  }
  expect(liveTeamStatus(text, withStatus(text, done))).toBeUndefined();
  expect(liveTeamStatus(text, `${text}\nmore\n`)).toBeUndefined();
});

test("a task that is not completed has no day", () => {
  expect(withStatus("## Status: PENDING\n# T\n", { status: "BLOCKED" })).toBe(
    "## Status: BLOCKED\n# T\n",
  );
});

const tasks = ["T-001", "T-002", "T-003"].map((id) => task(id));
const ids = Object.fromEntries(tasks.map(({ id }) => [id, `${id}.code-task.md`]));
const stateOf = (facts: readonly Fact[]) => {
  const state = runOf(tasks, facts);
  return { ...state, session: { ...state.session, list_origin: { path: "specs", ids } } };
};
const documents = (facts: readonly Fact[]) => {
  const state = stateOf(facts);
  return teamTaskDocuments(state).map(({ path, splice }) => [
    path(state),
    splice("## Status: PENDING\n", state)?.split("\n")[0],
  ]);
};

test("each pass brings the files of the tasks that have ended since the one before", () => {
  expect(documents([start("T-001")])).toEqual([]);
  const first = passing("T-001");
  expect(documents(first)).toEqual([["specs/T-001.code-task.md", "## Status: COMPLETED"]]);
  const blocked: Fact[] = [start("T-002"), { type: "task_blocked", task: "T-002", message: "no" }];
  expect(documents([...first, ...blocked])).toEqual([
    ["specs/T-001.code-task.md", "## Status: COMPLETED"],
  ]);
  expect(documents([...first, ...blocked, ...passing("T-003")])).toEqual([
    ["specs/T-002.code-task.md", "## Status: BLOCKED"],
    ["specs/T-003.code-task.md", "## Status: COMPLETED"],
  ]);
});

test("a file that is gone or broken is left as it is", () => {
  const state = stateOf(passing("T-001"));
  const [document] = teamTaskDocuments(state);
  expect(document?.splice(undefined, state)).toBeUndefined();
  expect(document?.splice("## Status: odd\n", state)).toBe("## Status: odd\n");
});

test("only task files that an imported list names are written, and only for the dialect that is emitted", () => {
  const ids = {
    "T-001": "step01/a.code-task.md",
    "T-002": "../../../x.code-task.md",
    "T-003": "b.md",
  };
  const origin = { path: ".ralph/specs/auth", ids };
  const state = runOf(tasks);
  const from = (list_origin: typeof origin) => ({ session: { ...state.session, list_origin } });
  expect(teamTaskPaths(from(origin))).toEqual([".ralph/specs/auth/step01/a.code-task.md"]);
  expect(teamTaskPaths(from({ ...origin, path: "../specs" }))).toEqual([]);
  expect(teamTaskPaths(state)).toEqual([]);
  const config = configWith({ compat: { emit: ["agent-teams"] } });
  expect(dialectDocumentPaths(config, from(origin))).toHaveLength(1);
  expect(dialectDocumentPaths(configWith({}), from(origin))).toEqual([]);
});
