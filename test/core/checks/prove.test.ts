import { describe, expect, test } from "vitest";
import {
  concluded,
  criteriaToProve,
  type HeadProof,
  needsBaseline,
  passedInSession,
  provedCriteria,
  provedGate,
} from "../../../src/core/checks/prove.ts";
import type { ProvedPart } from "../../../src/core/checks/proved-program.ts";
import type { FactOf } from "../../../src/core/state/event.ts";
import { gateEnd, passing, rule, runOf, task } from "../../support/builders/session.ts";

const gate = { name: "test", status: "passed", ok: true, ms: 1 } as const;
const criterion = { task: "T-001", index: 1, text: "It works", ok: true };
const part = { phase: "browser", name: "app", status: "passed", ok: true, ms: 1 } as const;
const programOf = (...parts: ProvedPart[]) => ({
  program: { level: "ui", parts, missing: [], files: {} } as const,
});
const nothing: Omit<HeadProof, "kind"> = {
  sessionId: "s",
  start: "c0",
  head: "c1",
  headTree: "t1",
  journal: "9:abc",
  sandbox: "off",
  setup: [],
  gates: [],
  criteria: [],
  problems: [],
};

test.for<[string, Partial<HeadProof>, HeadProof["kind"]]>([
  ["green gates", { gates: [gate] }, "proved"],
  ["criteria alone", { criteria: [criterion] }, "proved"],
  ["one red gate", { gates: [gate, { ...gate, ok: false }] }, "refuted"],
  ["one red criterion", { gates: [gate], criteria: [{ ...criterion, ok: false }] }, "refuted"],
  ["a green program", { gates: [gate], ...programOf(part) }, "proved"],
  ["one red test", { gates: [gate], ...programOf(part, { ...part, ok: false }) }, "refuted"],
  ["a program alone", programOf(part), "refuted"],
  ["a problem beside green gates", { gates: [gate], problems: ["unsound"] }, "refuted"],
  ["nothing at all", {}, "refuted"],
  ["nothing but skipped gates", { gates: [{ ...gate, status: "skipped" }] }, "refuted"],
  [
    "a criterion beside gates that are all skipped",
    { gates: [{ ...gate, status: "skipped" }], criteria: [criterion] },
    "refuted",
  ],
])("%s: %s", ([, more, kind]) => {
  const proof = concluded({ ...nothing, ...more });
  expect(proof.kind).toBe(kind);
  // Whoever is told no is told why.
  const reasons = [
    ...proof.problems,
    ...[...proof.gates, ...proof.criteria, ...(proof.program?.parts ?? [])].filter(({ ok }) => !ok),
  ];
  expect(reasons.length > 0).toBe(kind === "refuted");
});

describe("a gate", () => {
  const state = runOf([task("T-001")]);
  const red = (more = {}) => gateEnd("", { status: "failed", detail: "exit code 1", ...more });
  const atStart = (status: FactOf<"baseline_end">["status"], fingerprints: string[] = []) => ({
    type: "baseline_end" as const,
    gate: "test",
    key: "key-test",
    tree: "t0",
    status,
    fingerprints,
    ms: 1,
  });

  test("asks for the start commit only when it is red and fatal", () => {
    expect(needsBaseline(state, rule("test"), { result: gateEnd("") })).toBe(false);
    expect(needsBaseline(state, rule("test"), { result: red() })).toBe(true);
    expect(needsBaseline(state, rule("test", { fatal: false }), { result: red() })).toBe(false);
  });

  test("does not believe a baseline of the journal", () => {
    const journaled = runOf([task("T-001")], [atStart("failed", ["old"])]);
    const result = red({ fingerprints: ["old"] });
    expect(needsBaseline(journaled, rule("test"), { result })).toBe(true);
  });

  test.for([
    ["green before", {}, atStart("passed"), false, "exit code 1"],
    [
      "with a new failure",
      { fingerprints: ["old", "new"] },
      atStart("failed", ["old"]),
      false,
      "new failures: new\nexit code 1",
    ],
    [
      "with old failures only",
      { fingerprints: ["old"] },
      atStart("failed", ["old", "older"]),
      true,
      "fails as it did on the start commit",
    ],
    [
      "red before, without names",
      {},
      atStart("failed"),
      false,
      "fails on the start commit too, and names no failure to compare\nexit code 1",
    ],
  ] as const)("that is red, %s", ([, more, start, ok, because]) => {
    const results = { result: red(more), before: start };
    expect(provedGate(state, rule("test"), results)).toMatchObject({ ok, because });
  });

  test("that may be red before is accepted without names", () => {
    const allowed = rule("test", { redBefore: "allow" });
    const results = { result: red(), before: atStart("failed") };
    expect(provedGate(state, allowed, results)).toMatchObject({ ok: true });
  });
});

describe("criteria", () => {
  const state = runOf(
    [task("T-001"), task("T-002", { passes: true }), task("T-003")],
    passing("T-001"),
  );

  test("are those of tasks that passed and were committed in this session", () => {
    expect(passedInSession(state).map((each) => each.task.id)).toEqual(["T-001"]);
    expect(passedInSession(runOf([task("T-001")], passing("T-001").slice(0, -1)))).toEqual([]);
  });

  test("of subtasks count: of checkpoints with their task, of independent ones by themselves", () => {
    const subtask = (id: string, more = {}) => ({
      id,
      title: id,
      acceptanceCriteria: [`about ${id}`],
      passes: false,
      ...more,
    });
    const subtasks = [subtask("T-001.1"), subtask("T-001.2", { independent: true })];
    const done = runOf(
      [task("T-001", { subtasks })],
      passing("T-001").toSpliced(1, 0, {
        type: "subtask_passed",
        task: "T-001",
        subtask: "T-001.2",
        tree: "t0",
      }),
    );
    expect(criteriaToProve(done)).toEqual([
      { task: "T-001", criteria: ["It works", "about T-001.1"], base: "t0" },
      { task: "T-001.2", criteria: ["about T-001.2"], base: "t0" },
    ]);
  });

  test("that were the reviewer's are left out; what held before holds", () => {
    const result = (number: number, verdict: "proved" | "held" | "failed" | "to_judge") => ({
      number,
      text: "x",
      kind: "command" as const,
      verdict,
      detail: "exit code 1",
    });
    const results = [result(1, "to_judge"), result(2, "held"), result(3, "failed")];
    expect(provedCriteria("T-001", results)).toEqual([
      { task: "T-001", index: 2, text: "x", ok: true },
      { task: "T-001", index: 3, text: "x", ok: false, because: "exit code 1" },
    ]);
  });
});
