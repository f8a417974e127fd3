import { describe, expect, test } from "vitest";
import { claudeRalph } from "../../../src/dialects/claude-ralph/claude-ralph.ts";
import { readTaskText, renderTaskText } from "../../../src/dialects/claude-ralph/tasks.ts";
import { checkForeignList } from "../../../src/schema/tasks/foreign/check-foreign-list.ts";
import {
  given,
  putFile,
  queueStory,
  queueTasks,
  stepsOf,
} from "../../support/builders/queue-story.ts";
import { task } from "../../support/builders/session.ts";

const folder = ".claude/ralph";
const queuePath = `${folder}/task-queue-three-word-slug.json`;
const agentPath = `${folder}/agent-state-agent-2.json`;
const progressPath = `${folder}/progress-three-word-slug.json`;

const began = "2026-01-25T14:00:00+01:00";
const later = (seconds: number) => new Date(Date.parse(began) + seconds * 1000).toISOString();

const entry = {
  id: "t1",
  description: "Add a login",
  status: "done",
  claimed_by: "agent-1",
  retries: 0,
  dependencies: [],
  created_at: began,
  claimed_at: began,
  completed_at: began,
};
const claim = { ...entry, id: "t2", status: "claimed", claimed_by: "agent-2", completed_at: null };
const waiting = { ...entry, id: "t3", status: "pending", claimed_by: null, claimed_at: null };

const state = {
  agent_id: "agent-2",
  plan_id: "three-word-slug",
  task_id: "t2",
  status: "working",
  last_checkpoint: began,
  context: { files_modified: ["src/a.ts"], commits_made: [], notes: "wrote the form" },
};

const progress = {
  plan_id: "three-word-slug",
  phase: "verify_fix",
  agents_total: 2,
  agents_completed: 1,
  agents_failed: 0,
  agents_active: 1,
  total_cost_usd: 1.5,
  budget_limit_usd: null,
  started_at: began,
  updated_at: began,
  performance: {
    avg_cost_per_agent: 1,
    avg_turns_per_agent: 2,
    avg_duration_seconds: 3,
    total_turns: 4,
  },
  agents: [
    {
      id: "agent-2",
      status: "active",
      task_id: "t2",
      cost_usd: 1.5,
      num_turns: 4,
      duration_seconds: 3,
      started_at: began,
      completed_at: null,
    },
  ],
};

const queue = {
  tasks: [entry, claim, { ...waiting, dependencies: ["t1", "t2"], dashboard: "kept" }],
  created_at: began,
  plan_id: "three-word-slug",
};

function treeOf(more: { queue?: object; state?: object } = {}): Map<string, string> {
  return new Map([
    [queuePath, JSON.stringify({ ...queue, ...more.queue })],
    [progressPath, JSON.stringify(progress)],
    [agentPath, JSON.stringify({ ...state, ...more.state })],
  ]);
}

describe("a run of another tool", () => {
  test("is listed with its plan, its phase and its agents", () => {
    expect(claudeRalph.read(treeOf(), later(10))).toEqual([
      {
        id: "three-word-slug",
        path: queuePath,
        isActive: true,
        phase: "fixing",
        detail: "1 of 3 tasks done, agent-2 has t2",
      },
    ]);
  });

  test.each([
    { seconds: 300, checkpoint: 0, isActive: true },
    { seconds: 301, checkpoint: 0, isActive: false },
    { seconds: 301, checkpoint: 200, isActive: true },
    { seconds: 501, checkpoint: 200, isActive: false },
  ])(
    "$seconds s after its claim and with a checkpoint at $checkpoint s it is active: $isActive",
    (given) => {
      const tree = treeOf({ state: { last_checkpoint: later(given.checkpoint) } });
      const [run] = claudeRalph.read(tree, later(given.seconds));
      expect(run?.isActive).toBe(given.isActive);
      if (!given.isActive) expect(run?.detail).toBe("1 of 3 tasks done, 1 abandoned");
    },
  );

  test("an agent that says it has failed has nothing any more, however young its claim", () => {
    const tree = treeOf({ state: { status: "failed" } });
    expect(claudeRalph.read(tree, later(1))[0]?.isActive).toBe(false);
  });

  test.each([
    { tasks: [entry], phase: "complete" },
    { tasks: [entry, { ...waiting, status: "failed" }], phase: "failed" },
  ])("that has no work left is $phase", ({ tasks, phase }) => {
    expect(claudeRalph.read(treeOf({ queue: { tasks } }), later(1))).toMatchObject([
      { isActive: false, phase },
    ]);
  });
});

test("a ralph run has the id of its session", () => {
  const tree = new Map<string, string>();
  for (const state of stepsOf(queueStory.slice(0, 4)))
    for (const file of claudeRalph.render(state, given)) putFile(tree, file);
  expect(claudeRalph.read(tree, "2026-01-25T14:31:00.000Z")).toMatchObject([
    { id: "20260125-143052-a7b3c9", isActive: true },
  ]);
});

describe("cancelling", () => {
  test("releases claims, ends agents, and keeps unknown fields", () => {
    const tree = treeOf();
    const now = later(10);
    for (const file of claudeRalph.cancel(tree, { id: "three-word-slug", now }))
      putFile(tree, file);
    const read = (path: string) => JSON.parse(tree.get(path) ?? "");
    expect(read(queuePath)).toEqual({
      ...queue,
      tasks: [
        entry,
        { ...claim, status: "pending", claimed_by: null, claimed_at: null },
        queue.tasks[2],
      ],
    });
    expect(read(agentPath)).toMatchObject({
      status: "failed",
      last_checkpoint: now,
      context: { files_modified: ["src/a.ts"], notes: "wrote the form\ncancelled" },
    });
    expect(read(progressPath)).toMatchObject({ agents_active: 0, agents_failed: 1 });
    expect(claudeRalph.read(tree, now)[0]?.isActive).toBe(false);
  });

  test("leaves another run, and one that is over, alone", () => {
    expect(claudeRalph.cancel(treeOf(), { id: "other", now: later(1) })).toEqual([]);
    expect(claudeRalph.cancel(treeOf(), { id: undefined, now: later(3600) })).toEqual([]);
  });
});

const about = { kind: "list", source: "imported-prd", file: queuePath } as const;
const taken = (tree: Map<string, string>) =>
  checkForeignList(claudeRalph.tasks(tree)?.list, { ...about, project: "Example" });

describe("taking over", () => {
  test("only done tasks have passed; an abandoned task is open and has its agent's notes", () => {
    const { data, findings } = taken(treeOf());
    expect(findings).toEqual([]);
    expect(data?.tasks).toMatchObject([
      { id: "T-001", passes: true, acceptanceCriteria: ["It is done: Add a login"] },
      { id: "T-002", passes: false, notes: "agent-2 stopped at: wrote the form" },
      { id: "T-003", passes: false, dependsOn: ["T-001", "T-002"] },
    ]);
    expect(data?.metadata).toMatchObject({ idMap: { "T-001": "t1", "T-002": "t2" } });
  });

  test("the files of every step can be read back", () => {
    const tree = new Map<string, string>();
    for (const state of stepsOf(queueStory)) {
      for (const file of claudeRalph.render(state, given)) putFile(tree, file);
      const { data } = taken(tree);
      expect(data?.branchName).toBe("ralph-example");
      const required = state.tasks.map(({ task: { id }, state: now }) => {
        const { title, description, acceptanceCriteria, dependsOn } =
          queueTasks.find((each) => each.id === id) ?? task(id);
        const passes = now === "passed";
        return {
          id,
          title,
          description,
          acceptanceCriteria,
          passes,
          ...(dependsOn && { dependsOn }),
        };
      });
      expect(data?.tasks).toMatchObject(required);
    }
  });

  test("a plan with work left comes before one without, whatever is newer", () => {
    const older = JSON.stringify({
      ...queue,
      plan_id: "older",
      created_at: "2025-01-01T00:00:00Z",
    });
    const tree = treeOf({ queue: { tasks: [entry] } });
    tree.set(`${folder}/task-queue-older.json`, older);
    expect(claudeRalph.tasks(tree)?.path).toBe(`${folder}/task-queue-older.json`);
    tree.delete(`${folder}/task-queue-older.json`);
    expect(claudeRalph.tasks(tree)?.path).toBe(queuePath);
  });

  test("archived plans have ended", () => {
    const text = JSON.stringify(queue);
    const tree = new Map([[`${folder}/archive/s1/task-queue-three-word-slug.json`, text]]);
    expect(claudeRalph.tasks(tree)).toBeUndefined();
    expect(claudeRalph.read(tree, later(1))).toEqual([]);
  });
});

test.each([
  task("T-001"),
  task("T-002", { description: "Two\n\nparagraphs\n\nAcceptance criteria:\nnone here" }),
  task("T-003", { acceptanceCriteria: ["- a list\n- in one", "  two", "Acceptance criteria:"] }),
])("title, description and criteria of $id come back out of their one text", (each) => {
  const { title, description, acceptanceCriteria } = readTaskText(renderTaskText(each));
  const trimmed = acceptanceCriteria.map((text) => text.trim());
  expect({ title, description, trimmed }).toEqual({
    title: each.title,
    description: each.description,
    trimmed: each.acceptanceCriteria.map((text) => text.trim()),
  });
});

describe("a plan that is taken over", () => {
  const keep = (tree: Map<string, string>) => {
    for (const file of claudeRalph.onImport?.(tree, later(0)) ?? []) putFile(tree, file);
    return tree;
  };
  const taken = `${folder}/archive/taken-three-word-slug`;

  test("is archived unchanged, and only once", () => {
    const tree = keep(treeOf());
    for (const path of [queuePath, progressPath, agentPath]) {
      expect(tree.get(path.replace(folder, taken))).toBe(treeOf().get(path));
    }
    expect(claudeRalph.onImport?.(tree, later(1))).toEqual([]);
  });

  test("is archived again beside it when it has continued", () => {
    const tree = keep(treeOf());
    tree.set(queuePath, JSON.stringify({ ...queue, tasks: [entry] }));
    keep(tree);
    expect(tree.get(queuePath.replace(folder, taken))).toBe(treeOf().get(queuePath));
    expect(tree.get(queuePath.replace(folder, `${taken}-2`))).toBe(tree.get(queuePath));
  });

  test("writes nothing without a plan", () => {
    expect(claudeRalph.onImport?.(new Map(), later(0))).toEqual([]);
  });
});
