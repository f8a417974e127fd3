import { describe, expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  agentEnd,
  criteriaEnd,
  failed,
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

const T = "T-001";
/** One step as a short word: what would the loop do now? */
function next(facts: Fact[], given = {}, tasks = [task(T)]): string {
  const [step] = nextSteps(runOf(tasks, facts), policy(given));
  if (!step) return "nothing";
  switch (step.kind) {
    case "call-agent":
      return step.role;
    case "run-gate":
      return `${step.level} gate ${step.gate}`;
    case "run-baseline":
      return `baseline ${step.gate}`;
    case "retry":
      return `retry: ${step.failure.because}`;
    case "give-up":
      return step.as;
    case "end":
      return `end: ${step.reason}`;
    case "start-task":
      return `start ${step.task}`;
    case "wait":
      return `wait ${step.because} ${step.ms}`;
    default:
      return step.kind;
  }
}

const worked = [start(T), agentEnd(T)];
const tested = [...worked, testsDone(T)];
const gated = [...tested, gateEnd(T)];
const judged = [...gated, criteriaEnd(T)];
const approved = [...judged, reviewed(T)];
const passed: Fact = {
  type: "task_passed",
  task: T,
  tree: "t1",
  parent: "c0",
  files: [],
  already_satisfied: false,
};
const build = { gates: { build: [rule("lint")], full: [rule("test")] } };
const lint = gateEnd(T, { gate: "lint", key: "key-lint", level: "build" });
const red = (more = {}) => gateEnd(T, { status: "failed", fingerprints: ["a"], ...more });
const baseline = (more: object): Fact => ({
  type: "baseline_end",
  gate: "test",
  key: "key-test",
  tree: "t0",
  status: "failed",
  fingerprints: [],
  ms: 1,
  ...more,
});

const startsRed = (redBefore: "allow" | "repair") => ({
  gates: { build: [], full: [rule("test", { redBefore })] },
});

describe("a task walks through its steps", () => {
  test.each<[string, Fact[], string, object?]>([
    ["nothing yet", [], "check-start"],
    ["green at the start", [baseline({ status: "passed" })], "start T-001"],
    ["red at the start by name", [baseline({ fingerprints: ["a"] })], "start T-001"],
    ["red at the start without a name", [baseline({})], "end: gate_fatal"],
    ["red at the start, to be repaired", [], "start T-001", startsRed("repair")],
    ["red at the start, and allowed", [], "start T-001", startsRed("allow")],
    ["a gate to be repaired must be green", [...tested, red()], "retry: gate", startsRed("repair")],
    ["started", [start(T)], "implementation"],
    ["implemented", worked, "test_writing"],
    ["tests written, no build level", tested, "full gate test"],
    ["tests written, a build level", tested, "build gate lint", build],
    ["build gates green", [...tested, lint], "check-criteria", build],
    ["`--gates none` leaves the loop level out", tested, "check-criteria", { level: "none" }],
    ["gates green", gated, "check-criteria"],
    ["criteria to judge", judged, "review"],
    ["approved, full gates known for this tree", approved, "pass"],
    [
      "approved after build gates only",
      [...tested, lint, criteriaEnd(T), reviewed(T)],
      "full gate test",
      build,
    ],
    [
      "approved with `--gates none`",
      [...tested, criteriaEnd(T), reviewed(T)],
      "full gate test",
      { level: "none" },
    ],
    ["passed", [...approved, passed], "commit"],
    ["committed", passing(T), "end: all_done"],
  ])("%s: %s", (_, facts, step, given) => {
    expect(next(facts, given)).toBe(step);
  });

  test("a task that needs no tests goes from its implementation to the gates", () => {
    expect(next(worked, {}, [task(T, { requiresTests: false })])).toBe("full gate test");
  });

  test("a gate that ran on this tree is not run again, on another tree it is", () => {
    expect(next([...tested, gateEnd(T, { tree: "older" })])).toBe("full gate test");
  });
});

describe("a claim alone passes nothing", () => {
  const claim = (more: object) => [start(T), agentEnd(T, more)];
  test.each<[string, Fact[], string]>([
    ["no signal", claim({ signal: { kind: "missing" } }), "retry: signal"],
    ["wrong token", claim({ signal: { kind: "wrong-token", name: "task-done" } }), "retry: signal"],
    ["done without a change", claim({ tree: "t0" }), "retry: no_change"],
    [
      "trespassing tests",
      [...worked, { ...testsDone(T), trespassed: ["src/a.js"] }],
      "retry: guardrail",
    ],
    ["a red gate", [...tested, red(), baseline({ status: "passed" })], "retry: gate"],
    ["a false criterion", [...gated, criteriaEnd(T, "failed")], "retry: criteria"],
    ["a rejected review", [...judged, reviewed(T, "review-rejected")], "retry: review"],
    [
      "both review signals",
      [...judged, agentEnd(T, { role: "review", signal: { kind: "contradiction" } })],
      "retry: review",
    ],
    [
      "a review without a signal",
      [...judged, agentEnd(T, { role: "review", signal: { kind: "missing" } })],
      "retry: review",
    ],
  ])("%s", (_, facts, step) => {
    expect(next(facts)).toBe(step);
  });
});

describe("a red gate is compared with the start tree", () => {
  test.each<[string, Fact[], string, object?]>([
    ["first red: ask the start tree", [red()], "baseline test"],
    [
      "green before: it is the work's fault",
      [red(), baseline({ status: "passed" })],
      "retry: gate",
    ],
    [
      "the same failures before: accepted",
      [red(), baseline({ fingerprints: ["a"] })],
      "check-criteria",
    ],
    [
      "one more failure than before",
      [red({ fingerprints: ["a", "b"] }), baseline({ fingerprints: ["a"] })],
      "retry: gate",
    ],
    ["nothing to compare", [red({ fingerprints: [] }), baseline({})], "end: gate_fatal"],
    [
      "nothing to compare, allowed",
      [red({ fingerprints: [] }), baseline({})],
      "check-criteria",
      { gates: { build: [], full: [rule("test", { redBefore: "allow" })] } },
    ],
    [
      "a warning gate never stops",
      [red()],
      "check-criteria",
      { gates: { build: [], full: [rule("test", { fatal: false })] } },
    ],
    [
      "the command cannot be started at all",
      [red({ status: "not_started", fingerprints: [] }), baseline({ status: "not_started" })],
      "end: gate_fatal",
    ],
  ])("%s", (_, facts, step, given) => {
    expect(next([...tested, ...facts], given)).toBe(step);
  });

  test("a fatal failure skips the gates that follow", () => {
    const gates = { build: [], full: [rule("test"), rule("lint")] };
    expect(next([...tested, red(), baseline({ status: "passed" })], { gates })).toBe("retry: gate");
  });
});

describe("a task already satisfied", () => {
  const checkable = [task(T, { acceptanceCriteria: ["File `a.txt` exists"] })];
  const unchanged = [start(T), agentEnd(T, { tree: "t0" })];
  const green = gateEnd(T, { tree: "t0" });
  test("needs every criterion checked by us, and no tests are asked for", () => {
    expect(next(unchanged, {}, checkable)).toBe("full gate test");
    expect(next([...unchanged, green], {}, checkable)).toBe("check-criteria");
  });
  test.each([
    ["held", "review"],
    ["failed", "retry: criteria"],
    ["to_judge", "retry: no_change"],
  ] as const)("criterion %s: %s", (verdict, step) => {
    expect(next([...unchanged, green, criteriaEnd(T, verdict, "t0")], {}, checkable)).toBe(step);
  });
});

describe("a task that does not get anywhere stops", () => {
  const times = (count: number, fact: Fact) => Array.from({ length: count }, () => fact);
  test.each<[string, Fact[], string, object?]>([
    [
      "iterations used up",
      [start(T), ...[1, 2, 3, 4, 5].map((n) => failed(T, "signal", { tree: `w${n}` }))],
      "failed",
    ],
    [
      "no change in three iterations",
      [start(T), ...times(3, failed(T, "signal", { tree: "t0" }))],
      "blocked",
    ],
    [
      "no change in two",
      [start(T), ...times(2, failed(T, "signal", { tree: "t0" }))],
      "implementation",
    ],
    [
      "the same gate failure twice on one tree",
      [start(T), failed(T, "gate"), failed(T, "gate")],
      "blocked",
    ],
    [
      "the same gate failure on another tree",
      [start(T), failed(T, "gate"), failed(T, "gate", { tree: "t2" })],
      "implementation",
    ],
    [
      "the same gate failure three times on other trees",
      [start(T), ...[1, 2, 3].map((n) => failed(T, "gate", { tree: `w${n}` }))],
      "blocked",
    ],
    [
      "the same failure but for numbers and hashes, three times",
      [
        start(T),
        ...[1, 2, 3].map((n) =>
          failed(T, "criteria", { tree: `w${n}`, feedback: `${n} ms in a1b2c3${n}` }),
        ),
      ],
      "blocked",
    ],
    [
      "three failures of one gate with other outputs",
      [
        start(T),
        ...["a", "b", "c"].map((name) =>
          failed(T, "gate", { tree: `w${name}`, feedback: `expected ${name}` }),
        ),
      ],
      "implementation",
    ],
    [
      "three rejections",
      [start(T), ...[1, 2, 3].map((n) => failed(T, "review", { tree: `w${n}` }))],
      "failed",
    ],
  ])("%s: %s", (_, facts, step, given) => {
    expect(next(facts, given)).toBe(step);
  });
});

test("a task that needs what the session does not work on was never started, and the end says so", () => {
  const list = [task("T-001"), task("T-002"), task("T-003", { dependsOn: ["T-001"] })];
  const state = runOf(list, passing("T-002"));
  const part = { ...state, session: { ...state.session, selected: ["T-002", "T-003"] } };
  expect(nextSteps(part, policy())).toEqual([
    { kind: "end", reason: "blocked", message: "Never started: T-003 (needs T-001)." },
  ]);
});
