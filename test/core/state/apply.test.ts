import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import { apply } from "../../../src/core/state/apply.ts";
import { type Fact, RunEvent } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import {
  agentEnd,
  criteriaEnd,
  events,
  failed,
  gateEnd,
  passing,
  policy,
  reviewed,
  runOf,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";

test("a journal begins with session_start, once", () => {
  const [first, second] = events([sessionStart([task("T-001")]), start("T-001")]);
  if (!first || !second) throw new Error("unreachable");
  expect(() => apply(undefined, second)).toThrow("begins with session_start");
  expect(() => apply(apply(undefined, first), first)).toThrow("one session_start");
});

test("an event for a task of another session is refused", () => {
  expect(() => runOf([task("T-001")], [start("T-009")])).toThrow("T-009");
});

test("the head moves with each commit, and usage adds up per task and in all", () => {
  const facts = [
    ...passing("T-001", { commit: "c1" }),
    start("T-002", "t1+"),
    agentEnd("T-002", { usage: { cost_usd: 0.25, turns: 3 } }),
    agentEnd("T-002", { usage: { cost_usd: 0.5 } }),
  ];
  const state = runOf([task("T-001"), task("T-002")], facts);
  expect(state).toMatchObject({ head: "c1", headTree: "t1+", usage: { cost_usd: 0.75, turns: 3 } });
  expect(state.tasks[0]).toMatchObject({ state: "passed", commit: "c1", usage: {} });
});

test("a resumed session starts what was under way over, and gives what gave up a new try", () => {
  const facts: Fact[] = [
    ...passing("T-001"),
    start("T-002", "t1+"),
    { type: "task_failed", task: "T-002", message: "no", kept: "k" },
    { type: "session_end", reason: "task_failed", message: "" },
    { type: "session_resume", sandbox: "off" },
  ];
  const state = runOf([task("T-001"), task("T-002")], facts);
  expect(state.end).toBeUndefined();
  expect(state.tasks.map(({ state }) => state)).toEqual(["passed", "pending"]);
  expect(state.tasks[1]).toMatchObject({ iteration: 1, kept: "k" });
});

test("a pass journaled but not committed is committed after a resume, and not done again", () => {
  const facts = [
    ...passing("T-001").slice(0, -1),
    { type: "session_resume", sandbox: "off" } as const,
  ];
  expect(nextSteps(runOf([task("T-001")], facts), policy())).toEqual([
    { kind: "commit", task: "T-001" },
  ]);
});

describe("a reloaded list", () => {
  const before = [task("T-001"), task("T-002")];
  const reloaded = (tasks: typeof before) =>
    runOf(before, [
      ...passing("T-001"),
      { type: "tasks_reloaded", tasks, commit: "c9", tree: "t9" },
    ]).tasks;
  test("keeps a pass whose criteria are the same, whatever the list says", () => {
    expect(reloaded([task("T-001", { title: "New words" })])[0]?.state).toBe("passed");
  });
  test("drops a pass whose criteria changed, even when the list claims it", () => {
    const changed = task("T-001", { acceptanceCriteria: ["Something else"], passes: true });
    expect(reloaded([changed])[0]?.state).toBe("pending");
  });
  test("is worked on whole, with what was added, where the whole list was selected", () => {
    const added = [...before, task("T-003")];
    const facts = [{ type: "tasks_reloaded", tasks: added, commit: "c9", tree: "t9" } as const];
    const selected = (given: string[]) => {
      const all = events([sessionStart(before, { selected: given }), ...facts]);
      return all.reduce<SessionState | undefined>(apply, undefined)?.session.selected;
    };
    expect(selected(["T-001", "T-002"])).toEqual(["T-001", "T-002", "T-003"]);
    expect(selected(["T-002"])).toEqual(["T-002"]);
  });
  test("never believes a pass of a task it did not know", () => {
    expect(reloaded([task("T-003", { passes: true })])[0]?.state).toBe("pending");
  });
});

describe("subtasks", () => {
  const sub = (id: string, independent: boolean) => ({
    id,
    title: id,
    acceptanceCriteria: [`${id} works`],
    passes: false,
    independent,
  });
  const parent = task("T-001", {
    requiresTests: false,
    subtasks: [sub("T-001.1", true), sub("T-001.2", false)],
  });
  const now = (facts: Fact[]) => nextSteps(runOf([parent], facts), policy())[0];
  const firstPart = [start("T-001"), agentEnd("T-001"), gateEnd("T-001"), criteriaEnd("T-001")];

  test("an independent one has a loop of its own before its parent", () => {
    expect(now([...firstPart, reviewed("T-001")])).toEqual({
      kind: "pass-subtask",
      task: "T-001",
      subtask: "T-001.1",
      tree: "t1",
    });
  });
  test("a checkpoint must be signalled before the parent is even reviewed", () => {
    const done: Fact = { type: "subtask_passed", task: "T-001", subtask: "T-001.1", tree: "t1" };
    const facts = [...firstPart, reviewed("T-001"), done];
    const again = (more: object) => [
      ...facts,
      agentEnd("T-001", { tree: "t2", ...more }),
      gateEnd("T-001", { tree: "t2" }),
      criteriaEnd("T-001", "to_judge", "t2"),
    ];
    expect(now(facts)).toMatchObject({ kind: "call-agent", role: "implementation" });
    expect(now(again({}))).toMatchObject({ kind: "retry", failure: { because: "subtasks" } });
    expect(now(again({ subtasks_done: ["T-001.2"] }))).toMatchObject({ role: "review" });
  });
});

test("property: whatever happened, the journal read back adds up to the same state", () => {
  const ids = ["T-001", "T-002", "T-003"];
  const fact = fc
    .constantFrom(...ids)
    .chain((id) =>
      fc.constantFrom<Fact>(
        start(id),
        agentEnd(id, { usage: { cost_usd: 0.1 } }),
        agentEnd(id, { outcome: { kind: "failed", class: "agent", message: "x" } }),
        reviewed(id, "review-rejected"),
        gateEnd(id, { status: "failed", fingerprints: ["a"] }),
        criteriaEnd(id, "proved"),
        failed(id, "gate"),
        { type: "task_blocked", task: id, message: "stuck" },
        { type: "wait", because: "backoff", ms: 5, until: "" },
        { type: "session_resume", sandbox: "off" },
        { type: "warning", message: "careful" },
      ),
    );
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 60 }), (facts) => {
      const all = events([sessionStart(ids.map((id) => task(id))), ...facts]);
      const lines = all.map((event) => JSON.stringify(event));
      const read = lines.map((line) => RunEvent.parse(JSON.parse(line)));
      const replay = read.reduce<ReturnType<typeof apply> | undefined>(apply, undefined);
      expect(replay).toEqual(all.reduce<ReturnType<typeof apply> | undefined>(apply, undefined));
    }),
  );
});
