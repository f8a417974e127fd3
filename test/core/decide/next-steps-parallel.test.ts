import { expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Step } from "../../../src/core/decide/step.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  passing,
  policy,
  reviewed,
  rule,
  runOf,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";

const [A, B, C] = ["T-001", "T-002", "T-003"] as const;
const tasks = [A, B, C].map((id) => task(id, { priority: 1 }));

const claim = (id: string, worker: string): Fact => ({
  type: "task_claimed",
  task: id,
  worker,
  base: "c0",
});
const begun = (id: string, worker: string): Fact[] => [claim(id, worker), start(id)];
/** Everything up to the reviewer's approval. */
const approved = (id: string, worker: string): Fact[] => [
  ...begun(id, worker),
  ...[agentEnd(id), testsDone(id), gateEnd(id), criteriaEnd(id), reviewed(id)],
];
const pass = (id: string): Fact => ({
  type: "task_passed",
  task: id,
  tree: "t1",
  parent: "c0",
  files: [],
  already_satisfied: false,
});
const committed = (id: string): Fact => ({
  type: "task_committed",
  task: id,
  commit: "c1",
  tree: "t1+",
});
const merged = (id: string): Fact => ({
  type: "task_merged",
  task: id,
  tree: "t2",
  onto: "c1",
  base: "t1+",
});
const landed = [...approved(A, "agent-1"), pass(A), committed(A)];
const call = (id: string): Step => ({ kind: "call-agent", task: id, role: "implementation" });
const begin = (id: string, worker: string): Step => ({ kind: "start-task", task: id, worker });
const wait: Step = { kind: "wait", because: "limit", ms: 1000, message: "limited" };

const green: Fact = {
  type: "baseline_end",
  gate: "test",
  key: "key-test",
  tree: "t0",
  status: "passed",
  fingerprints: [],
  ms: 1,
};

/** The steps in short: `agent-1 starts T-001`, `T-001 merge`. */
function next(facts: Fact[], inFlight: Step[] = [], given = {}): string[] {
  const steps = nextSteps(runOf(tasks, facts), policy({ parallel: 2, ...given }), inFlight);
  return steps.map(shortOf);
}

function shortOf(step: Step): string {
  if (step.kind === "start-task") return `${step.worker} starts ${step.task}`;
  if (step.kind === "end") return `end: ${step.reason}`;
  const what = step.kind === "call-agent" ? step.role : step.kind;
  return "task" in step ? `${step.task} ${what}` : what;
}

test.each<[string, Fact[], Step[], string[], object?]>([
  [
    "as many begin as there are workers",
    [green],
    [],
    ["agent-1 starts T-001", "agent-2 starts T-002"],
  ],
  ["nobody begins twice", [green], [begin(A, "agent-1"), begin(B, "agent-2")], []],
  ["a free worker takes the next", begun(A, "agent-2"), [call(A)], ["agent-1 starts T-002"]],
  ["a task under way gets no second step", begun(A, "agent-1"), [call(A), begin(B, "agent-2")], []],
  [
    "each goes on by itself",
    [...begun(A, "agent-1"), ...begun(B, "agent-2"), agentEnd(A)],
    [call(B)],
    ["T-001 test_writing"],
  ],
  [
    "who is approved first lands first",
    [...approved(B, "agent-2"), ...approved(A, "agent-1")],
    [],
    ["T-002 pass"],
  ],
  [
    "nobody lands beside another, whatever is left to do",
    [...approved(B, "agent-2"), ...approved(A, "agent-1")],
    [{ kind: "run-gate", task: B, gate: "other", level: "full", tree: "t1" }],
    [],
  ],
  [
    "a landing under way goes on, although another task was approved first and has been proved since",
    [...approved(B, "agent-2"), ...approved(A, "agent-1")],
    [{ kind: "pass", task: A, tree: "t1", isAlreadySatisfied: false }],
    [],
  ],
  [
    "until the commit is made nobody begins and nobody lands",
    [...approved(A, "agent-1"), ...approved(B, "agent-2"), pass(A)],
    [],
    ["T-001 commit"],
  ],
  [
    "beside the commit others work on",
    [...approved(A, "agent-1"), ...begun(B, "agent-2"), pass(A)],
    [],
    ["T-001 commit", "T-002 implementation"],
  ],
  [
    "work that is behind is merged, and then proved as a whole",
    [...landed, ...approved(B, "agent-2").slice(0, -1), reviewed(B)],
    [],
    ["T-002 merge", "agent-1 starts T-003"],
  ],
  [
    "gates and criteria ask again after a merge; the reviewer does not",
    [...landed, ...approved(B, "agent-2"), merged(B)],
    [begin(C, "agent-1")],
    ["T-002 check-criteria"],
  ],
  [
    "the full gates, not those of the loop",
    [...landed, ...approved(B, "agent-2"), merged(B), criteriaEnd(B, "to_judge", "t2")],
    [begin(C, "agent-1")],
    ["T-002 run-gate"],
    { gates: { build: [rule("lint")], full: [rule("test")] } },
  ],
  [
    "and it passes",
    [
      ...[...landed, ...approved(B, "agent-2"), merged(B), criteriaEnd(B, "to_judge", "t2")],
      gateEnd(B, { tree: "t2" }),
    ],
    [begin(C, "agent-1")],
    ["T-002 pass"],
  ],
])("%s", (_, facts, inFlight, steps, given) => {
  expect(next(facts, inFlight, given)).toEqual(steps);
});

const limited = agentEnd(A, { outcome: { kind: "limited", message: "limited" } });
const broken = agentEnd(A, { outcome: { kind: "failed", class: "agent", message: "broken" } });

test.each<[string, Fact[], Step[], string[], object?]>([
  [
    "a limit: nobody calls, what is approved lands",
    [...begun(A, "agent-1"), ...approved(B, "agent-2"), limited],
    [],
    ["wait", "T-002 pass"],
  ],
  ["a wait under way: no second one", [...begun(A, "agent-1"), limited], [wait], []],
  [
    "a wait under way, not for what calls nobody",
    [...begun(A, "agent-1"), ...approved(B, "agent-2")],
    [wait],
    ["T-002 pass"],
  ],
  [
    "failures of all workers in a row: the end waits for whom it does not concern",
    [...begun(A, "agent-1"), ...begun(B, "agent-2"), broken, broken, broken],
    [call(B)],
    [],
  ],
  [
    "and comes after them",
    [...begun(A, "agent-1"), ...begun(B, "agent-2"), broken, broken, broken],
    [],
    ["end: agent_error"],
  ],
  [
    "tampering: the end comes at once",
    [...begun(A, "agent-1"), { type: "tampering", path: "task-status.json", message: "changed" }],
    [call(A)],
    ["end: tampering"],
  ],
  [
    "a deadline: nothing new, what is under way ends by itself",
    begun(A, "agent-1"),
    [call(A)],
    [],
    { deadlines: [{ at: 0, reason: "checkpoint" }] },
  ],
  [
    "a deadline too close for what is under way: what still fits goes on",
    [...begun(A, "agent-1"), ...begun(B, "agent-2"), agentEnd(B), testsDone(B)],
    [call(A)],
    ["T-002 run-gate"],
    { deadlines: [{ at: Date.parse("2026-01-25T14:30:58.500Z"), reason: "checkpoint" }] },
  ],
  [
    "setup is for all, and comes first",
    [],
    [{ kind: "setup", name: "install" }],
    [],
    { setup: ["install"] },
  ],
  [
    "what every worker has set up is not the project's",
    [
      {
        ...{ type: "setup_end", name: "install", status: "passed", ms: 1, worker: "agent-1" },
        output: { sha256: "e".repeat(64), bytes: 0 },
      },
    ],
    [],
    ["setup"],
    { setup: ["install"] },
  ],
  [
    "all have passed: the end waits for the last step",
    [A, B, C].flatMap((id) => passing(id)),
    [wait],
    [],
  ],
  ["all have passed", [A, B, C].flatMap((id) => passing(id)), [], ["end: all_done"]],
])("%s", (_, facts, inFlight, steps, given) => {
  expect(next(facts, inFlight, given)).toEqual(steps);
});

const spent = (id: string, cost_usd: number) => agentEnd(id, { usage: { cost_usd } });
const budgets = { session: 2, task: null, day: null, others: { day: "", usd: 0 } };
const testCall: Step = { kind: "call-agent", task: B, role: "test_writing" };

test.each<[string, number, Step[], string[]]>([
  ["there is money for two calls", 0.5, [], ["T-001 test_writing", "T-002 test_writing"]],
  ["the call under way may cost the rest", 0.7, [testCall], []],
  ["one more call may cost all that is left", 0.7, [], ["T-001 test_writing"]],
])("budget: %s", (_, usd, inFlight, steps) => {
  const facts = [...begun(A, "agent-1"), ...begun(B, "agent-2"), spent(A, usd), spent(B, usd)];
  const state = runOf(tasks, facts);
  const usageByRole = { test_writing: { calls: 2, cost_usd: 2 * usd } };
  const found = nextSteps({ ...state, usageByRole }, policy({ parallel: 2, budgets }), inFlight);
  expect(found.map(shortOf)).toEqual(steps);
});

test("two tasks that ask for the same baseline get one", () => {
  const red = (id: string) => gateEnd(id, { status: "failed", fingerprints: ["a"] });
  const facts = [
    ...[...begun(A, "agent-1"), agentEnd(A), testsDone(A), red(A)],
    ...[...begun(B, "agent-2"), agentEnd(B), testsDone(B), red(B)],
  ];
  expect(next(facts)).toEqual(["run-baseline"]);
  expect(next(facts, [{ kind: "run-baseline", gate: "test", level: "full" }])).toEqual([]);
});
