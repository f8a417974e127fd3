import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/core/state/event.ts";
import { canMove, type QueueState } from "../../../src/core/state/queue.ts";
import { claudeRalph } from "../../../src/dialects/claude-ralph/claude-ralph.ts";
import type {
  ClaudeRalphAgent,
  ClaudeRalphProgress,
  ClaudeRalphQueue,
  ClaudeRalphRetries,
} from "../../../src/dialects/claude-ralph/schema/index.ts";
import {
  called,
  claimed,
  given,
  putFile,
  queueStory,
  queueTasks,
  stepsOf,
  worked,
} from "../../support/builders/queue-story.ts";
import { agentEnd, failed, passing, start, task } from "../../support/builders/session.ts";
import { hasProgram } from "../../support/project/programs.ts";

const folder = ".claude/ralph";
const archive = `${folder}/archive/20260125-143052-a7b3c9`;

interface Shown {
  paths: string[];
  queue: ClaudeRalphQueue;
  retries: ClaudeRalphRetries | undefined;
  progress: ClaudeRalphProgress;
  agents: Record<string, ClaudeRalphAgent>;
}

/** What another program finds after each event. */
function shownSteps(facts: readonly Fact[] = queueStory, more = given): Shown[] {
  const tree = new Map<string, string>();
  return stepsOf(facts).map((state) => {
    for (const file of claudeRalph.render(state, more)) putFile(tree, file);
    const read = (name: string) => {
      const text = tree.get(`${folder}/${name}`) ?? tree.get(`${archive}/${name}`);
      return text === undefined ? undefined : JSON.parse(text);
    };
    const states = [...tree].filter(([path]) => path.includes("/agent-state-"));
    return {
      paths: [...tree.keys()].toSorted(),
      queue: read("task-queue-ralph-example.json"),
      retries: read("retry-queue-ralph-example.json"),
      progress: read("progress-ralph-example.json"),
      agents: Object.fromEntries(
        states.map(([path, text]) => [path.slice(-"agent-1.json".length, -5), JSON.parse(text)]),
      ),
    };
  });
}

const pairs = (steps: readonly Shown[]) =>
  steps.slice(1).map((after, at) => ({ before: steps[at] as Shown, after }));

/** Every change of a task's status, with what stood there before and after. */
function taskMoves(steps: readonly Shown[]) {
  return pairs(steps).flatMap(({ before, after }) =>
    after.queue.tasks.flatMap(({ id, status: to }, at) => {
      const from = before.queue.tasks[at]?.status as QueueState;
      return from === to ? [] : [{ before, after, id, from, to }];
    }),
  );
}

describe("at every step of a run with two workers, a crash and three failures", () => {
  const steps = shownSteps();

  test("a task only moves along the edges, and from failed only through the retry queue", () => {
    const moves = new Set<string>();
    for (const { before, after, id, from, to } of taskMoves(steps)) {
      moves.add(`${from} > ${to}`);
      expect(canMove(from, to), `${id}: ${from} > ${to}`).toBe(true);
      const queued = [before, after].flatMap(({ retries }) => retries?.retries ?? []);
      if (from === "failed") expect(queued.map(({ task_id }) => task_id)).toContain(id);
    }
    expect([...moves].toSorted()).toEqual([
      "claimed > done",
      "claimed > failed",
      "claimed > pending",
      "failed > pending",
      "pending > claimed",
    ]);
  });

  test("an agent is initializing, then works, then is gone or has failed", () => {
    const moves = new Set<string>();
    for (const agent of ["agent-1", "agent-2"]) {
      const statuses = steps.map(({ agents }) => agents[agent]?.status ?? "none");
      statuses.forEach((to, at) => void moves.add(`${statuses[at - 1] ?? to} > ${to}`));
    }
    expect([...moves].filter((move) => !/^(\w+) > \1$/.test(move)).toSorted()).toEqual([
      "failed > none",
      "initializing > working",
      "none > initializing",
      "working > failed",
      "working > none",
    ]);
  });

  test("who has a task has a name and a time, and the others have none", () => {
    for (const { queue } of steps) {
      for (const { status, claimed_by, claimed_at, completed_at } of queue.tasks) {
        expect([claimed_by === null, claimed_at === null]).toEqual(
          status === "pending" ? [true, true] : [false, false],
        );
        expect(completed_at === null).toBe(status === "pending" || status === "claimed");
      }
    }
  });

  test("three attempts are all: the third failure leaves the retry queue", () => {
    const seen = steps.map(({ queue, retries }) => ({
      retries: queue.tasks.find(({ id }) => id === "T-002")?.retries,
      queued: retries?.retries.map(({ attempt, max_retries }) => `${attempt} of ${max_retries}`),
    }));
    const changes = seen.filter(
      (each, at) => JSON.stringify(each) !== JSON.stringify(seen[at - 1]),
    );
    expect(changes).toEqual([
      { retries: 0, queued: undefined },
      { retries: 0, queued: ["1 of 3"] },
      { retries: 1, queued: ["1 of 3"] },
      { retries: 1, queued: ["2 of 3"] },
      { retries: 2, queued: ["2 of 3"] },
      { retries: 2, queued: [] },
    ]);
  });

  test("figures of the agents add up to those of the run", () => {
    for (const { progress } of steps) {
      const count = (status: string) =>
        progress.agents.filter((each) => each.status === status).length;
      expect(progress.agents_active).toBe(count("active"));
      expect(progress.agents_completed).toBe(count("completed"));
      expect(progress.agents_failed).toBe(count("failed"));
      expect(progress.agents_total).toBe(2);
    }
    expect(steps.at(-1)?.progress).toMatchObject({
      phase: "implementation",
      total_cost_usd: 0.7,
      budget_limit_usd: 5,
      performance: { total_turns: 21 },
    });
  });
});

test("a complete plan is archived with its session, and a resumed session restores it", () => {
  const all = queueTasks.flatMap(({ id }) => worked(id, "agent-1"));
  const done = [
    ...all,
    { type: "session_end", reason: "all_done", message: "All passed." },
  ] as const;
  const names = ["progress-ralph-example.json", "task-queue-ralph-example.json"];
  expect(shownSteps(done).at(-1)?.paths).toEqual(names.map((name) => `${archive}/${name}`));
  const inUse = ["agent-state-agent-1.json", ...names].map((name) => `${folder}/${name}`);
  expect(shownSteps(done).at(-2)?.paths).toEqual(inUse);
  const again = shownSteps([...done, { type: "session_resume", sandbox: "off" }]);
  expect(again.at(-1)?.paths).toEqual(names.map((name) => `${folder}/${name}`));
});

test.each([
  { budget_usd: null, limit: null },
  { budget_usd: 0, limit: 0 },
  { budget_usd: 2.5, limit: 2.5 },
])(
  "a budget of $budget_usd is shown as it is: null is unlimited, 0 is zero",
  ({ budget_usd, limit }) => {
    const { config } = given;
    const more = { ...given, config: { ...config, limits: { ...config.limits, budget_usd } } };
    expect(shownSteps([], more).at(-1)?.progress.budget_limit_usd).toBe(limit);
  },
);

test.each([
  { facts: [], phase: "implementation" },
  { facts: [start("T-001")], phase: "implementation" },
  { facts: [start("T-001"), agentEnd("T-001"), failed("T-001", "gate")], phase: "verify_fix" },
  { facts: passing("T-001").slice(0, 4), phase: "review" },
])("the phase is $phase", ({ facts, phase }) => {
  expect(shownSteps(facts).at(-1)?.progress.phase).toBe(phase);
});

test("an agent's state names session, task and call, and stays when the session ends", () => {
  const working = [claimed("T-001", "agent-2"), start("T-001"), called("T-001", "implementation")];
  const state = shownSteps(working).at(-1)?.agents["agent-2"];
  expect(state).toEqual({
    agent_id: "agent-2",
    plan_id: "ralph-example",
    task_id: "T-001",
    status: "working",
    last_checkpoint: "2026-01-25T14:30:55.000Z",
    context: {
      files_modified: [],
      commits_made: [],
      notes: "session 20260125-143052-a7b3c9: iteration 1, implementation",
    },
  });
  const end = { type: "session_end", reason: "checkpoint", message: "Out of time." } as const;
  expect(shownSteps([...working, end]).at(-1)?.agents["agent-2"]?.status).toBe("failed");
});

test("the state of a killed agent is removed when its session is resumed", () => {
  const killed = [claimed("T-001", "agent-2"), start("T-001"), called("T-001", "implementation")];
  expect(Object.keys(shownSteps(killed).at(-1)?.agents ?? {})).toEqual(["agent-2"]);
  const again = shownSteps([...killed, { type: "session_resume", sandbox: "off" }]);
  expect(again.at(-1)?.agents).toEqual({});
});

test("another plan's agent state is not taken away", () => {
  const path = `${folder}/agent-state-agent-1.json`;
  const theirs = shownSteps([start("T-001")]).at(-1)?.agents["agent-1"];
  const text = JSON.stringify({ ...theirs, plan_id: "other" });
  const tree = new Map([[path, text]]);
  const state = stepsOf([]).at(-1);
  if (state) for (const file of claudeRalph.render(state, given)) putFile(tree, file);
  expect(tree.get(path)).toBe(text);
});

test("the queue is printed as Python's json would print it, also when it is empty", () => {
  for (const tasks of [[], [task("T-001")], queueTasks]) {
    const [state] = stepsOf([], tasks);
    const files = state ? claudeRalph.render(state, given) : [];
    for (const file of files) {
      if (!("text" in file) || file.text === undefined) continue;
      expect(file.text).toBe(`${JSON.stringify(JSON.parse(file.text), null, 2)}\n`);
    }
  }
});

/** The three example queries of the specification, word for word. */
const reader = `
import json, sys
answers = []
for step in json.load(sys.stdin):
    queue, progress, retry_queue = step["queue"], step["progress"], step["retries"]
    available = [t for t in queue["tasks"]
                 if t["status"] == "pending"
                 and not t["dependencies"]]
    if progress["budget_limit_usd"]:
        remaining = progress["budget_limit_usd"] - progress["total_cost_usd"]
    else:
        remaining = float('inf')
    retryable = [r for r in retry_queue["retries"]
                 if r["attempt"] < r["max_retries"]] if retry_queue else []
    answers.append({"available": [t["id"] for t in available], "remaining": round(remaining, 6),
                    "retryable": [r["task_id"] for r in retryable]})
print(json.dumps(answers))
`;

test.skipIf(!hasProgram("python3"))(
  "a Python program that knows only the specification sees the state of the run",
  () => {
    const input = JSON.stringify(
      shownSteps().map((step) => ({ ...step, retries: step.retries ?? null })),
    );
    const { stdout, stderr } = spawnSync("python3", ["-c", reader], { input });
    expect(stderr.toString()).toBe("");
    const expected = stepsOf(queueStory).map((state) => ({
      available: state.tasks
        .filter((each) => each.state === "pending" && !each.claimed && !each.task.dependsOn)
        .map((each) => each.task.id),
      remaining: Math.round((5 - (state.usage.cost_usd ?? 0)) * 1e6) / 1e6,
      retryable: state.tasks
        .filter(({ attempts = 0, state }) => attempts > 0 && attempts < 3 && state !== "passed")
        .map((each) => each.task.id),
    }));
    expect(JSON.parse(stdout.toString())).toEqual(expected);
  },
);
