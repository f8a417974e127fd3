import { expect, test } from "vitest";
import { auditPass } from "../../../src/core/checks/audit-pass.ts";
import type { Fact, FactOf, RunTask } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  passing,
  reviewed,
  rule,
  runOf,
  start,
  task,
} from "../../support/builders/session.ts";

const pass = (more: Partial<FactOf<"task_passed">> = {}): FactOf<"task_passed"> => ({
  type: "task_passed",
  task: "T-001",
  tree: "t1",
  parent: "c0",
  files: [],
  already_satisfied: false,
  ...more,
});

const lacks = (facts: Fact[], more: { pass?: object; task?: Partial<RunTask> } = {}) =>
  auditPass(runOf([task("T-001", more.task)], facts), pass(more.pass), [rule("test")]);

/** Everything up to the pass. */
const proofs = passing("T-001").slice(0, -2);
const without = (...types: Fact["type"][]) => proofs.filter(({ type }) => !types.includes(type));
const withoutRole = (role: string) =>
  proofs.filter((fact) => fact.type !== "agent_end" || fact.role !== role);
const criterion = (more: object) => {
  const { results, ...about } = criteriaEnd("T-001");
  return { ...about, results: results.map((result) => ({ ...result, ...more })) };
};
const withCriterion = (more: object) => [
  ...without("criteria_end").slice(0, -1),
  criterion(more),
  reviewed("T-001"),
];

test("a pass with every proof lacks nothing", () => {
  expect(lacks(proofs)).toEqual([]);
});

const subtasks = [
  { id: "T-001.1", title: "Part", acceptanceCriteria: ["It works"], passes: false },
];

const table: [string, Fact[], Parameters<typeof lacks>[1], string][] = [
  ["no start", [], {}, "it was pending when it passed"],
  [
    "another tree",
    proofs,
    { pass: { tree: "t2" } },
    "the tree that passed is not the one its agents left",
  ],
  [
    "another parent",
    proofs,
    { pass: { parent: "c9" } },
    "its parent is not the commit the session was at",
  ],
  [
    "no done signal",
    withoutRole("implementation"),
    {},
    "there is no valid done signal of the implementation",
  ],
  ["no tests", withoutRole("test_writing"), {}, "there is no valid done signal of the test writer"],
  ["no review", withoutRole("review"), {}, "no review approved it"],
  [
    "a review of other work",
    [...proofs, reviewed("T-001", "review-approved", "t0")],
    {},
    "the review approved another tree",
  ],
  ["no gate", without("gate_end"), {}, 'gate "test" did not run on the tree that passed'],
  [
    "a gate on another tree",
    [...without("gate_end"), gateEnd("T-001", { tree: "t0" })],
    {},
    'gate "test" did not run on the tree that passed',
  ],
  [
    "a red gate",
    [...proofs, gateEnd("T-001", { status: "failed" })],
    {},
    'gate "test" was not green on the tree that passed',
  ],
  [
    "no criteria",
    without("criteria_end"),
    {},
    "criterion 1 was not checked on the tree that passed",
  ],
  [
    "criteria of another tree",
    [...proofs, criteriaEnd("T-001", "proved", "t0")],
    {},
    "criterion 1 was not checked on the tree that passed",
  ],
  [
    "another criterion",
    withCriterion({ text: "Easier" }),
    {},
    "criterion 1 was not checked on the tree that passed",
  ],
  ["a failed criterion", withCriterion({ verdict: "failed" }), {}, "criterion 1 does not hold"],
  [
    "a command nobody ran",
    withCriterion({ kind: "command" }),
    {},
    "criterion 1 could have been checked, but was not",
  ],
  ["an open subtask", proofs, { task: { subtasks } }, "subtask T-001.1 has not passed"],
];

test.each(table)("%s is found", (_, facts, more, expected) => {
  expect(lacks(facts, more)).toContain(expected);
});

test("nothing changed is a pass only as already satisfied, with every criterion proved by us", () => {
  const idle = [
    start("T-001"),
    agentEnd("T-001", { tree: "t0" }),
    gateEnd("T-001", { tree: "t0" }),
    criteriaEnd("T-001", "held", "t0"),
    reviewed("T-001", "review-approved", "t0"),
  ];
  const unchanged = { tree: "t0", already_satisfied: true };
  expect(lacks(idle, { pass: unchanged })).toEqual([]);
  expect(lacks(idle, { pass: { tree: "t0" } })).toContain("nothing was changed");
  const judged = [...idle, criteriaEnd("T-001", "to_judge", "t0")];
  expect(lacks(judged, { pass: unchanged })).toEqual([
    "criterion 1 is not proved, and nothing was changed",
  ]);
  expect(lacks(proofs, { pass: { already_satisfied: true } })).toContain(
    "it changed something as `already satisfied`",
  );
});

test("a test writer is not needed where no tests are wanted", () => {
  expect(lacks(withoutRole("test_writing"), { task: { requiresTests: false } })).toEqual([]);
});

test("a model's command may be the reviewer's without the sandbox, and only there", () => {
  const judged = withCriterion({ kind: "command", verdict: "to_judge" });
  const state = runOf([task("T-001")], judged);
  const lacksIn = (more: Partial<SessionState["session"]>) =>
    auditPass({ ...state, session: { ...state.session, ...more } }, pass(), [rule("test")]);
  const lack = ["criterion 1 could have been checked, but was not"];
  expect(lacksIn({ list_author: "model", sandbox: "off" })).toEqual([]);
  expect(lacksIn({ list_author: "model", sandbox: "bubblewrap" })).toEqual(lack);
  expect(lacksIn({ sandbox: "off" })).toEqual(lack);
});

const claim: Fact = { type: "task_claimed", task: "T-001", worker: "agent-1", base: "c0" };
const merged = (onto: string): Fact => ({
  type: "task_merged",
  ...{ task: "T-001", tree: "t2", onto, base: "t0+" },
});
/** Another task has passed meanwhile: the session is at c1, with the tree t0+. */
const others = passing("T-002").filter(({ type }) => type !== "task_committed");
const moved: Fact = { type: "task_committed", task: "T-002", commit: "c1", tree: "t0+" };
const again = [gateEnd("T-001", { tree: "t2" }), criteriaEnd("T-001", "to_judge", "t2")];

const lacksBeside = (facts: Fact[], tree: string) => {
  const tasks = [task("T-001"), task("T-002")];
  const state = runOf(tasks, [claim, ...proofs, ...others, moved, ...facts]);
  return auditPass(state, pass({ tree, parent: "c1" }), [rule("test")]);
};

test("work that was merged with what passed meanwhile, and proved again, lacks nothing", () => {
  expect(lacksBeside([merged("c1"), ...again], "t2")).toEqual([]);
});

test.each<[string, Fact[], string, string]>([
  ["that was not merged", [], "t1", "it was not merged with what passed in the meantime"],
  [
    "that was merged with something else",
    [merged("c0"), ...again],
    "t2",
    "it was merged onto another commit than its parent",
  ],
  [
    "whose merge nobody has tried",
    [merged("c1")],
    "t2",
    'gate "test" did not run on the tree that passed',
  ],
  [
    "whose merge was changed",
    [merged("c1"), ...again, agentEnd("T-001", { tree: "t3" })],
    "t3",
    "no review approved it",
  ],
])("work beside that of others %s is found", (_, facts, tree, expected) => {
  expect(lacksBeside(facts, tree)).toContain(expected);
});
