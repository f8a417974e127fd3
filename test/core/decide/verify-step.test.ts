import { describe, expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Policy } from "../../../src/core/decide/policy.ts";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import { passing, policy, runOf, task } from "../../support/builders/session.ts";

const limits = { gates: 1, services: 1, browser: 2, robot: 1 };
const verify = { gates: "none", env: "dev", startsServices: true, browser: true, robot: false };
const repairing: Partial<Policy> = {
  verify: verify as NonNullable<Policy["verify"]>,
  fixes: limits,
};

const phase = (tree: string, status: "passed" | "failed"): Fact => ({
  ...{ type: "verify_phase_end", phase: "browser", tree, status, detail: "failed: loads", ms: 1 },
});
const seen = (tree: string, status: "passed" | "failed"): Fact[] => [
  { type: "verify_start", tree },
  phase(tree, status),
];
const start: Fact = {
  ...{ type: "fix_start", phase: "browser", iteration: 1, limit: 2, tree: "t1+" },
  failure: "failed: loads",
};
const called = (role: "planning" | "fix", more: Partial<FactOf<"fix_call_end">> = {}): Fact => ({
  ...{ type: "fix_call_end", phase: "browser", iteration: 1, role, tree: "t1+" },
  ...{ outcome: { kind: "answered" }, signal: { kind: "missing" }, refused: [], usage: {} },
  ...{ ms: 1000, output: { sha256: "d".repeat(64), bytes: 1 }, ...more },
});
const checked = (failures: string[]): Fact => ({
  ...{ type: "fix_checked", tree: "t2", gates: [], criteria: [], findings: [], failures },
});
const end = (outcome: FactOf<"fix_end">["outcome"], parent?: string): Fact => ({
  ...{ type: "fix_end", phase: "browser", iteration: 1, tree: "t2", outcome, detail: "" },
  ...{ files: [], ...(parent && { parent }) },
});

/** The step after a task has passed as t1+ and these facts came. */
function stepAfter(facts: readonly Fact[], more: Partial<Policy> = {}) {
  const state = runOf([task("T-001")], [...passing("T-001"), ...facts]);
  return nextSteps(state, policy({ ...repairing, ...more }));
}
const red = seen("t1+", "failed");
const worked = [...red, start, called("planning"), called("fix", { tree: "t2" })];

describe("the steps of a repair", () => {
  test.each<[string, Fact[], object]>([
    ["the program is looked at first", [], { kind: "verify", tree: "t1+" }],
    ["green is the end", seen("t1+", "passed"), { kind: "end", reason: "all_done" }],
    ["red is repaired", red, { kind: "start-fix", phase: "browser", iteration: 1, limit: 2 }],
    ["a plan comes first", [...red, start], { kind: "call-fixer", role: "planning" }],
    ["then the repair", [...red, start, called("planning")], { kind: "call-fixer", role: "fix" }],
    [
      "work without a change has ended",
      [...red, start, called("planning"), called("fix")],
      { kind: "end-fix", outcome: "unchanged" },
    ],
    ["what held is checked again", worked, { kind: "check-fix", tree: "t2" }],
    [
      "what breaks it ends",
      [...worked, checked(["T-001: x"])],
      { kind: "end-fix", outcome: "broke" },
    ],
    ["then the program again", [...worked, checked([])], { kind: "verify", tree: "t2" }],
    [
      "it is kept although the program is red",
      [...worked, checked([]), ...seen("t2", "failed")],
      { kind: "end-fix", outcome: "kept" },
    ],
    [
      "what is kept is committed",
      [...worked, checked([]), ...seen("t2", "failed"), end("kept", "c1")],
      { kind: "commit-fix" },
    ],
    [
      "what was seen before counts after it is taken back",
      [...worked, checked(["x"]), end("broke")],
      { kind: "start-fix", iteration: 2 },
    ],
    [
      "the limit ends the session",
      [...worked, checked(["x"]), end("broke"), start, called("planning"), end("unchanged")],
      { kind: "end", reason: "post_verify" },
    ],
  ])("%s", (_, facts, step) => {
    expect(stepAfter(facts)).toMatchObject([step]);
  });

  test("an agent program that fails is waited for", () => {
    const failed = called("planning", {
      outcome: { kind: "failed", class: "agent", message: "exit code 1" },
    });
    expect(stepAfter([...red, start, failed])).toMatchObject([{ kind: "wait" }]);
  });

  test("nothing is repaired without money", () => {
    const spent = called("planning", { usage: { cost_usd: 2 } });
    const budgets = { session: 1, task: null, day: null, others: { day: "", usd: 0 } };
    expect(stepAfter([...red, start, spent], { budgets })).toMatchObject([
      { kind: "end", reason: "budget" },
    ]);
  });

  test("nothing is repaired without time", () => {
    const deadlines = [{ at: 0, reason: "max_runtime" as const }];
    expect(stepAfter(red, { deadlines })).toMatchObject([{ kind: "end", reason: "max_runtime" }]);
  });

  test("nothing is repaired where nobody asked for it", () => {
    const state = runOf([task("T-001")], [...passing("T-001"), ...red]);
    expect(
      nextSteps(state, policy({ verify: verify as NonNullable<Policy["verify"]> })),
    ).toMatchObject([{ kind: "end", reason: "post_verify" }]);
  });
});
