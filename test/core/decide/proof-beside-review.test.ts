import { describe, expect, test } from "vitest";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Step } from "../../../src/core/decide/step.ts";
import type { Fact, FactOf } from "../../../src/core/state/event.ts";
import type { ProofPart } from "../../../src/core/state/proof-event.ts";
import { census, plan, settings } from "../../support/builders/proof.ts";
import {
  agentEnd,
  criteriaEnd,
  gateEnd,
  policy,
  reviewed,
  runOf,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";

const T = "T-001";
const proved = policy({ proof: settings() });
const review: Step = { kind: "call-agent", task: T, role: "review" };

const green: Fact = {
  type: "baseline_end",
  ...{ gate: "test", key: "key-test", tree: "t0", status: "passed" as const },
  ...{ tests: census(3), fingerprints: [], ms: 1 },
};

const planned = (more: Partial<FactOf<"proof_planned">> = {}) =>
  plan({ tree: "t1", base: "t0", ...more });

const ran = (
  tree: string,
  status: "passed" | "failed",
  part: ProofPart = "first",
): FactOf<"proof_gate_end"> => ({
  type: "proof_gate_end",
  ...{ task: T, part, gate: "test", key: "key-test", tree, status, detail: "" },
  ...{ fingerprints: [], tests: census(3, { failed: status === "failed" ? 1 : 0 }) },
  ...{ is_load_error: false, ms: 1 },
});

const worked = [
  ...[green, start(T), agentEnd(T), testsDone(T)],
  ...[gateEnd(T, { tests: census(4) }), criteriaEnd(T)],
];
const ready = [...worked, planned()];
const redFirst = ran("first", "failed");
const unnoticed = [redFirst, ran("hunk", "passed", "hunk")];
const rejected = reviewed(T, "review-rejected");

const next = (facts: Fact[], inFlight: Step[] = []) =>
  nextSteps(runOf([task(T)], facts), proved, inFlight);
const first = { kind: "run-proof", part: "first", tree: "first" };
const hunk = { kind: "run-proof", part: "hunk", tree: "hunk" };

describe("what needs the task's own tests runs while the reviewer reads", () => {
  test.each<[string, Fact[], Step[], object[]]>([
    ["the review and the first run start together", ready, [], [review, first]],
    ["one run follows the other", [...ready, redFirst], [review], [hunk]],
    [
      "a run that is going on has no second",
      ready,
      [review, { ...first, task: T, gate: "test" } as Step],
      [],
    ],
    ["its end alone leads to nothing", [...ready, ...unnoticed], [review], []],
    [
      "a question waits for the review",
      [...ready, ran("first", "passed"), ran("first", "passed")],
      [review],
      [],
    ],
    ["the plan comes before it", worked, [], [{ kind: "plan-proof" }]],
    [
      "old tests run before it",
      [...worked, planned({ old_tests: ["a"], trees: { originals: "old", first: "first" } })],
      [],
      [{ kind: "run-proof", part: "originals" }],
    ],
  ])("%s", (_, facts, inFlight, steps) => {
    expect(next(facts, inFlight)).toMatchObject(steps);
    expect(next(facts, inFlight)).toHaveLength(steps.length);
  });
});

describe("what it finds outranks the verdict", () => {
  const proof = { kind: "retry", failure: { because: "proof", fingerprint: "witness" } };
  test.each<[string, Fact[], object]>([
    ["an approval does not end the proof", [...ready, reviewed(T)], first],
    ["an approval in the middle, too", [...ready, reviewed(T), redFirst], hunk],
    ["a refusal after an approval", [...ready, ...unnoticed, reviewed(T)], proof],
    ["a refusal that comes after the approval", [...ready, reviewed(T), ...unnoticed], proof],
    ["a refusal and a rejection", [...ready, ...unnoticed, rejected], proof],
    [
      "a rejection ends the runs",
      [...ready, redFirst, rejected],
      { kind: "retry", failure: { because: "review" } },
    ],
    [
      "a rejection needs no better tests",
      [...ready, ran("first", "passed"), ran("first", "passed"), rejected],
      { kind: "retry", failure: { because: "review" } },
    ],
    [
      "a question after an approval",
      [...ready, ran("first", "passed"), ran("first", "passed"), reviewed(T)],
      { kind: "ask-tests", check: "red_first" },
    ],
  ])("%s", (_, facts, step) => {
    expect(next(facts)).toMatchObject([step]);
  });

  test("the next implementation reads both reasons", () => {
    const [step] = next([...ready, ...unnoticed, rejected]);
    const feedback = step?.kind === "retry" ? step.failure.feedback : "";
    expect(feedback).toMatch(
      /no test fails when any of its changes is taken back.*reviewer rejected/s,
    );
  });
});
