import { expect, test } from "vitest";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { agentEnd, gateEnd, runOf, start, task } from "../../support/builders/session.ts";

const tasks = [task("T-001", { acceptanceCriteria: ["First", "Second\nline"] })];
const taskOf = (facts: readonly Fact[]) => summarize(runOf(tasks, facts)).tasks[0];

test("an unchecked criterion is marked as such, a checked one names its evidence", () => {
  expect(taskOf([])?.criteria).toMatchObject([
    { number: 1, text: "First", verdict: null, evidence: null },
    { number: 2, text: "Second line", verdict: null, evidence: null },
  ]);
  const sha256 = "d".repeat(64);
  const proved = {
    number: 1,
    text: "First",
    kind: "command",
    verdict: "proved",
    detail: "exit 0",
  } as const;
  const results = [{ ...proved, evidence: { sha256, bytes: 3 } }];
  const checked = taskOf([
    start("T-001"),
    { type: "criteria_end", task: "T-001", tree: "t0", results },
  ]);
  expect(checked?.criteria).toEqual([{ ...proved, evidence: sha256 }]);
  expect(checked?.criteria_count).toMatchObject({ total: 1, proved: 1 });
});

const red = { status: "failed", fingerprints: ["a", "b"] } as const;

test.each([
  ["green", {}, undefined, { status: "passed", baseline: null, new_failures: 0 }],
  ["never run before", red, undefined, { baseline: null, new_failures: null }],
  ["green before", red, { status: "passed" }, { baseline: "passed", new_failures: 2 }],
  ["red before", red, red, { baseline: "failed", new_failures: 0 }],
  [
    "red before, one more now",
    red,
    { ...red, fingerprints: ["a"] },
    { baseline: "failed", new_failures: 1 },
  ],
  [
    "red before, nothing to compare",
    red,
    { ...red, fingerprints: [] },
    { baseline: "failed", new_failures: null },
  ],
] as [string, Partial<FactOf<"gate_end">>, Partial<FactOf<"baseline_end">> | undefined, object][])(
  "a gate is compared with the start commit: %s",
  (_, now, before, expected) => {
    const baseline: FactOf<"baseline_end"> = {
      type: "baseline_end",
      gate: "test",
      key: "key-test",
      tree: "t0",
      status: "passed",
      fingerprints: [],
      ms: 5,
    };
    const found = taskOf([
      start("T-001"),
      agentEnd("T-001"),
      gateEnd("T-001", now),
      ...(before ? [{ ...baseline, ...before }] : []),
    ]);
    expect(found?.gates).toMatchObject([{ gate: "test", level: "full", ...expected }]);
  },
);
