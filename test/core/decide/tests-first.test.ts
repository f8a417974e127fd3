import { expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Policy } from "../../../src/core/decide/policy.ts";
import type { Fact, FactOf, RunTask } from "../../../src/core/state/event.ts";
import type { WorkPart } from "../../../src/core/state/proof-event.ts";
import { census, settings } from "../../support/builders/proof.ts";
import {
  agentEnd,
  criteriaEnd,
  failed,
  gateEnd,
  policy,
  runOf,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";

const first = policy({ testsFirst: true, proof: settings() });

const green: Fact = {
  type: "baseline_end",
  gate: "test",
  key: "key-test",
  tree: "t0",
  status: "passed",
  tests: census(3),
  fingerprints: [],
  ms: 1,
};

const shown = (part: WorkPart, tree: string): Fact => ({
  type: "work_shown",
  task: "T-001",
  part,
  tree,
  tests: part === "tests" ? tree : "tests",
  work: part === "work" ? tree : "work",
  paths: ["tests/a.test.js"],
});

const onBase = (status: "passed" | "failed"): FactOf<"proof_gate_end"> => ({
  type: "proof_gate_end",
  task: "T-001",
  part: "first",
  gate: "test",
  key: "key-test",
  tree: "tests",
  status,
  detail: "",
  fingerprints: [],
  tests: census(3, { failed: status === "failed" ? 1 : 0 }),
  is_load_error: false,
  ms: 1,
});

const asked: Fact = {
  type: "proof_asked",
  task: "T-001",
  tree: "tests",
  check: "red_first",
  feedback: "?",
};

const begun = [green, start("T-001"), shown("tests", "t0")];
const written = [...begun, testsDone("T-001", "tests")];
const red = [...written, onBase("failed")];
const worked = [...red, shown("work", "t0"), agentEnd("T-001", { tree: "work" })];
const together = [...worked, shown("all", "all")];

const stepAfter = (facts: readonly Fact[], more: Partial<RunTask> = {}, rules: Policy = first) =>
  nextSteps(runOf([task("T-001", more)], facts), rules)[0];

test.each<[string, readonly Fact[], object]>([
  ["the test writer sees the base", [green, start("T-001")], { kind: "show-work", part: "tests" }],
  ["and is called first", begun, { kind: "call-agent", role: "test_writing" }],
  ["its tests run on the base", written, { kind: "run-proof", part: "first", tree: "tests" }],
  [
    "green ones are asked about",
    [...written, onBase("passed")],
    { kind: "ask-tests", check: "red_first", feedback: expect.stringContaining("as it is") },
  ],
  [
    "without spending an iteration",
    [...written, onBase("passed"), asked],
    { kind: "call-agent", role: "test_writing" },
  ],
  [
    "green ones are refused after that",
    [...written, onBase("passed"), asked, testsDone("T-001", "tests")],
    { kind: "retry", failure: { because: "proof" } },
  ],
  [
    "a test writer that writes nothing is asked, too",
    [...begun, testsDone("T-001", "t0")],
    { kind: "ask-tests", feedback: expect.stringContaining("brings no test") },
  ],
  ["red ones are hidden", red, { kind: "show-work", part: "work" }],
  [
    "then the implementation works",
    [...red, shown("work", "t0")],
    { kind: "call-agent", role: "implementation" },
  ],
  [
    "an implementation that changes nothing is no work, whatever the tests changed",
    [...red, shown("work", "t0"), agentEnd("T-001", { tree: "t0" })],
    { kind: "retry", failure: { because: "no_change" } },
  ],
  ["both come together for the gates", worked, { kind: "show-work", part: "all" }],
  ["which run then", together, { kind: "run-gate", tree: "all" }],
  [
    "a failed iteration begins with the test writer, on the base",
    [...together, failed("T-001", "gate", { tree: "all" })],
    { kind: "show-work", part: "tests" },
  ],
  [
    "a question of the proof, too, and the implementation stays",
    [
      ...together,
      gateEnd("T-001", { tree: "all", tests: census(4) }),
      criteriaEnd("T-001", "to_judge", "all"),
      { ...asked, check: "witness" } as Fact,
      shown("tests", "tests"),
      testsDone("T-001", "tests"),
    ],
    { kind: "show-work", part: "all" },
  ],
])("%s", (_, facts, step) => {
  expect(stepAfter(facts)).toMatchObject(step);
});

const usual = { kind: "call-agent", role: "implementation" };
const early = { kind: "show-work", part: "tests" };

test.each<[string, Partial<RunTask>, Partial<Policy>, object]>([
  ["a task asks for it", { order: "tests_first" }, { testsFirst: false }, early],
  ["a task refuses it", { order: "tests_last" }, {}, usual],
  ["a task without tests has no order", { requiresTests: false }, {}, usual],
  ["the usual order is the other one", {}, { testsFirst: false }, usual],
])("%s", (_, more, rules, step) => {
  expect(stepAfter([green, start("T-001")], more, { ...first, ...rules })).toMatchObject(step);
});

test("a list that a model wrote cannot refuse it", () => {
  const state = runOf([task("T-001", { order: "tests_last" })], [green, start("T-001")]);
  const byModel = { ...state, session: { ...state.session, list_author: "model" as const } };
  expect(nextSteps(byModel, first)[0]).toMatchObject(early);
});

test("tests of a refactoring may hold before it", () => {
  const step = stepAfter(written, { changesBehaviour: false });
  expect(step).toMatchObject({ kind: "show-work", part: "work" });
});
