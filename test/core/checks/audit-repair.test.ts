import { expect, test } from "vitest";
import { auditRepair } from "../../../src/core/checks/audit-repair.ts";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import {
  criteriaEnd,
  gateEnd,
  passing,
  rule,
  runOf,
  task,
} from "../../support/builders/session.ts";

const about = { phase: "browser", iteration: 1 } as const;
const call = (role: "planning" | "fix", more: Partial<FactOf<"fix_call_end">> = {}): Fact => ({
  ...{ type: "fix_call_end", ...about, role, tree: "t1+", outcome: { kind: "answered" } },
  ...{ signal: { kind: "missing" }, refused: [], usage: {}, ms: 1000 },
  ...{ output: { sha256: "d".repeat(64), bytes: 1 }, ...more },
});
const checked = (more: Partial<FactOf<"fix_checked">> = {}): Fact => ({
  ...{ type: "fix_checked", tree: "t2", findings: [], failures: [] },
  gates: [gateEnd("", { tree: "t2" })],
  criteria: [criteriaEnd("T-001", "to_judge", "t2")],
  ...more,
});
const begun: Fact[] = [
  ...passing("T-001"),
  { type: "fix_start", ...about, limit: 10, tree: "t1+", failure: "failed: loads" },
  call("planning"),
];
const fixed = [...begun, call("fix", { tree: "t2" })];

const lacks = (facts: readonly Fact[], more: Partial<FactOf<"fix_end">> = {}) =>
  auditRepair(
    runOf([task("T-001")], facts),
    {
      ...{ type: "fix_end", ...about, tree: "t2", outcome: "kept", detail: "", files: [] },
      ...{ parent: "c1", ...more },
    },
    [rule("test")],
  );

test("a repair whose tree was checked again lacks nothing", () => {
  expect(lacks([...fixed, checked()])).toEqual([]);
});

test.each<[string, readonly Fact[], Partial<FactOf<"fix_end">>, RegExp]>([
  ["has not begun", passing("T-001"), {}, /has not begun/],
  ["was not checked", fixed, {}, /nothing was checked on its tree/],
  ["no fixer made", [...begun, checked()], { tree: "t1+" }, /no fixer has answered/],
  ["is another tree", [...fixed, checked()], { tree: "t3" }, /not the one its agents left/],
  ["is on another commit", [...fixed, checked()], { parent: "c9" }, /not the commit the session/],
  ["was checked before", [...fixed, checked({ tree: "t0" })], {}, /nothing was checked/],
  ["no gate has seen", [...fixed, checked({ gates: [] })], {}, /gate "test" was not green/],
  [
    "only another tree was green with",
    [...fixed, checked({ gates: [gateEnd("", { tree: "t0" })] })],
    {},
    /gate "test" was not green/,
  ],
  [
    "breaks a criterion",
    [...fixed, checked({ criteria: [criteriaEnd("T-001", "failed", "t2")] })],
    {},
    /criterion 1 of T-001 does not hold/,
  ],
  ["no criterion has seen", [...fixed, checked({ criteria: [] })], {}, /was not checked/],
  ["was refused", [...fixed, checked({ failures: ["tests are gone"] })], {}, /tests are gone/],
])("a repair that %s is found", (_, facts, end, lack) => {
  expect(lacks(facts, end).join("\n")).toMatch(lack);
});
