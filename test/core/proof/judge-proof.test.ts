import { expect, test } from "vitest";
import type { ProofQuestion } from "../../../src/core/proof/question.ts";
import { countsOnly } from "../../../src/core/proof/settings.ts";
import {
  after,
  asked,
  census,
  gate,
  judge,
  judged,
  mutated,
  noticed,
  plan,
  proof,
  refused,
  settings,
  twoHunks,
  twoMutants,
  untested,
  weakened,
} from "../../support/builders/proof.ts";

const replaced = proof(weakened, {
  ...{ old: ["red", "red"], first: ["red"], firstOld: ["red"], hunk: ["red"] },
});

test.each<[string, Partial<ProofQuestion>, object]>([
  [
    "a gate that never ran without the work runs there first",
    { gates: [gate({ before: undefined })] },
    { kind: "baseline", gate: "test" },
  ],
  ["then the trees are computed", {}, { kind: "plan" }],
  [
    "then new tests run without the work",
    { proof: proof(plan()) },
    { kind: "run", part: "first", tree: "first", gate: "test" },
  ],
  [
    "a red test leads to taking changes back",
    { proof: proof(plan(), { first: ["red"] }) },
    { kind: "run", part: "hunk", tree: "hunk" },
  ],
  [
    "red tests and a change that is noticed are a proof",
    { proof: proof(plan(), { first: ["red"], hunk: ["red"] }) },
    {
      ...judged(),
      figures: { red_first: "red", witnessed: 1, tried: 1, tests_before: 3, tests_after: 4 },
    },
  ],
  [
    "tests that do not load count with a witness",
    { proof: proof(plan(), { first: ["load"], hunk: ["red"] }) },
    { ...judged(), figures: { red_first: "load-error" } },
  ],
  [
    "tests that only fail to load are asked about",
    { proof: proof(plan(), { first: ["load"], hunk: ["green"] }) },
    asked("red_first"),
  ],
  [
    "code that behaves differently runs after that",
    { proof: proof(mutated, noticed) },
    { kind: "run", part: "mutant", tree: "mutant" },
  ],
  [
    "a test that notices it settles the file",
    { proof: proof(mutated, { ...noticed, mutant: ["red"] }) },
    judged(),
  ],
  [
    "one line alone may be without any effect: the next is tried",
    { proof: proof(twoMutants, { ...noticed, mutant: ["green"] }) },
    { kind: "run", part: "mutant", tree: "mutant2" },
  ],
  [
    "and settles the file, too",
    { proof: proof(twoMutants, { ...noticed, mutant: ["green"], mutant2: ["red"] }) },
    judged(),
  ],
  [
    "where none does, the code it replaced is made wrong on the base",
    { proof: proof(mutated, { ...noticed, mutant: ["green"] }) },
    { kind: "run", part: "mutant", tree: "mutantBefore" },
  ],
  [
    "what tests noticed before and notice no longer is asked about",
    { proof: proof(mutated, { ...noticed, mutant: ["green"], mutantBefore: ["red"] }) },
    { ...asked("witness"), feedback: expect.stringContaining("now they do not: ") },
  ],
  [
    "new code whose answer no test judges is asked about",
    { proof: proof(mutated, { ...noticed, mutant: ["green"], mutantBefore: ["green"] }) },
    { ...asked("witness"), feedback: expect.stringContaining("`src/a.js:3`") },
  ],
  [
    "code that does not load when it is made wrong says nothing",
    { proof: proof(mutated, { ...noticed, mutant: ["load"], mutantBefore: ["red"] }) },
    judged(),
  ],
  [
    "changes are tried until the time for it is spent; what was noticed by then counts",
    {
      proof: proof(twoHunks, { first: ["red"], hunk: ["red"] }),
      settings: { ...settings(), witnessMs: 10 },
    },
    { ...judged(), figures: { witnessed: 1, tried: 1 } },
  ],
  [
    "where the time ends before anything was noticed, people decide",
    {
      proof: proof(twoHunks, { first: ["red"], hunk: ["green"] }),
      settings: { ...settings(), witnessMs: 10 },
    },
    judged({ kind: "finding", check: "witness" }),
  ],
  [
    "a change nobody notices beside red tests is refused",
    { proof: proof(plan(), { first: ["red"], hunk: ["green"] }) },
    refused("witness"),
  ],
  [
    "tests that pass without the work are asked about",
    { proof: proof(plan(), { first: ["green"] }) },
    asked("red_first"),
  ],
  [
    "once asked they are a finding",
    { proof: { ...proof(plan(), { first: ["green"] }), asked: ["red_first"] } },
    judged({ kind: "finding", check: "red_first" }),
  ],
  [
    "where red tests are required they are refused",
    { proof: proof(plan(), { first: ["green"] }), settings: settings({ red_first: "require" }) },
    refused("red_first"),
  ],
  ["a task without any test is asked for one", { proof: proof(untested) }, asked("red_first")],
  [
    "a task that brought none after the question is refused",
    { proof: { ...proof(untested), asked: ["red_first"] } },
    refused("red_first"),
  ],
  [
    "a task that changes no code needs no test",
    { proof: proof({ ...untested, product: [], hunks: [] }) },
    judged(),
  ],
  [
    "a task without a test writer needs none either",
    { proof: proof(untested), hasTestWriter: false },
    judged(),
  ],
  [
    "a time-out without the work proves nothing",
    { proof: proof(plan(), { first: ["timeout", "timeout"] }) },
    judged({ kind: "finding", check: "red_first" }),
  ],
  [
    "old tests run on the work",
    { proof: proof(weakened) },
    { kind: "run", part: "originals", tree: "old" },
  ],
  [
    "a surprising red runs again",
    { proof: proof(weakened, { old: ["red"] }) },
    { kind: "run", part: "originals", tree: "old" },
  ],
  [
    "two of three runs decide",
    { proof: proof(weakened, { old: ["red", "green", "green"], first: ["red"], hunk: ["red"] }) },
    judged({ kind: "finding", check: "flaky" }),
  ],
  [
    "an old test that was weakened is refused",
    { proof: proof(weakened, { old: ["red", "red"], first: ["green"], firstOld: ["green"] }) },
    refused("originals"),
  ],
  [
    "one weakened beside an honest new test is asked about",
    { proof: proof(weakened, { old: ["red", "red"], first: ["red"], firstOld: ["green"] }) },
    asked("originals"),
  ],
  [
    "a replaced expectation is a finding",
    { proof: replaced },
    judged({ kind: "finding", check: "originals" }),
  ],
  [
    "a person's task that names the test asks for it",
    { proof: replaced, words: "Accept 24:00 too, and change test/old.test.js accordingly." },
    judged({ kind: "note", check: "originals" }),
  ],
  [
    "another file of a longer name does not",
    { proof: replaced, words: "See test/very-old.test.js.md and x/test/old.test.js." },
    judged({ kind: "finding", check: "originals" }),
  ],
  [
    "a task that names the test may not weaken it",
    {
      proof: proof(weakened, { old: ["red", "red"], first: ["red"], firstOld: ["green"] }),
      words: "Change old.test.js.",
    },
    asked("originals"),
  ],
  [
    "checks that are off run nothing",
    { proof: proof(weakened), settings: countsOnly(settings()) },
    judged(),
  ],
  [
    "a task that keeps behaviour may move no expectation",
    {
      proof: proof(weakened, { old: ["red", "red"], first: ["red"], firstOld: ["red"] }),
      keepsBehaviour: true,
    },
    refused("originals"),
  ],
  [
    "settings that turn red into green are refused",
    {
      proof: proof(
        plan({
          controls: ["package.json"],
          trees: { originals: "old", controls: "old", first: "first" },
        }),
        { old: ["red", "red"], first: ["red"] },
      ),
    },
    refused("controls"),
  ],
  ["a gate that runs no test any more is refused", after(census(0)), refused("census")],
  ["a gate that reports no count any more is refused", after(undefined), refused("census")],
  ["a gate that is skipped now is refused", after(undefined, "skipped"), refused("census")],
  ["fewer tests are asked about", after(census(2)), asked("census")],
  ["more skipped tests are asked about", after(census(4, { skipped: 1 })), asked("census")],
  [
    "gates without any count are a note",
    {
      gates: [gate({ before: { status: "passed" }, after: { status: "passed" } })],
      proof: proof(plan()),
    },
    judged({ kind: "note", check: "census" }),
  ],
  [
    "merged work is asked for old tests alone",
    { proof: proof(plan({ trees: {}, hunks: [] })), isMerged: true },
    judged(),
  ],
  [
    "a check that only reports adds a note",
    { proof: proof(plan(), { first: ["green"] }), settings: settings({ red_first: "report" }) },
    judged({ kind: "note", check: "red_first" }),
  ],
  [
    "a check that is off says nothing",
    { proof: proof(plan(), { first: ["green"] }), settings: settings({ red_first: "off" }) },
    judged(),
  ],
])("%s", (_, question, expected) => {
  expect(judge(question)).toMatchObject(expected);
});

test("flagged changes are notes, one for each reason", () => {
  const flagged = ["yarn.lock", "package-lock.json"].map((path) => ({ path, because: "lockfile" }));
  expect(
    judge({ proof: proof(plan({ flagged }), { first: ["red"], hunk: ["red"] }) }),
  ).toMatchObject(
    judged({ kind: "note", check: "flags", paths: ["yarn.lock", "package-lock.json"] }),
  );
});
