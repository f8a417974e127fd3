import { expect, test } from "vitest";
import {
  type BranchPull,
  decideWork,
  type KeptSession,
  type WorkDecision,
  type WorkFacts,
} from "../../../src/github/branches/decide-work.ts";

const name = "ralph/words";
const facts: WorkFacts = {
  ...{ hasOpenTasks: true, used: [], free: name, head: "b".repeat(40), isByHand: false },
  ...{ wantsPull: true, maxContinuations: 5, now: Date.UTC(2026, 0, 2) },
};
const pull = (state: BranchPull["state"], isOwn = true): BranchPull => ({
  ...{ number: 1, url: "https://github.com/o/r/pull/1", state, isOwn },
});
const used = (state?: BranchPull["state"], isOwn?: boolean) => ({
  used: [{ name, tip: "a".repeat(40), ...(state && { pull: pull(state, isOwn) }) }],
  free: `${name}-2`,
});
const kept = (given: Partial<KeptSession> = {}): { session: KeptSession } => ({
  session: {
    ...{ runId: "1001", branch: name, start: facts.head, reason: "checkpoint" },
    ...{ message: "Time ran out.", passed: 1, continuations: 0, ...given },
  },
});
const onSecond = { branch: `${name}-2` };
const later = { resetsAt: facts.now + 3_600_000 };

type Row = [title: string, given: Partial<WorkFacts>, expected: Partial<WorkDecision>];

const goesOn = { kind: "continue", branch: name, runId: "1001" } as const;
const publishes = { kind: "publish", branch: name, runId: "1001" } as const;
const says = (text: string): Partial<WorkDecision> => ({
  kind: "quiet",
  message: expect.stringContaining(text),
});
const first = { kind: "run", branch: name } as const;
const second = { kind: "run", branch: `${name}-2` } as const;

const rows: Row[] = [
  [
    "without an open task, nothing starts",
    { hasOpenTasks: false, ...used("open") },
    says("No task"),
  ],
  [
    "an open pull request waits for a person",
    used("open"),
    says("#1 waits for a person: https://"),
  ],
  ["it waits for a person by hand, too", { ...used("open"), isByHand: true }, says("waits")],
  [
    "an open pull request whose session is done waits for a person",
    { ...used("open"), ...kept({ reason: "all_done" }) },
    says("waits"),
  ],
  ["an unfinished one continues", { ...used("open"), ...kept() }, goesOn],
  ["one that was cut off continues", { ...used("open"), ...kept({ reason: undefined }) }, goesOn],
  [
    "before a usage limit resets, nothing starts",
    { ...used("open"), ...kept(later) },
    says("resets at 2026-01-02T01"),
  ],
  [
    "a used-up budget needs a person, and says how",
    { ...used("open"), ...kept({ reason: "budget", message: "The budget is used up." }) },
    says("by hand with `resume-from: 1001`"),
  ],
  [
    "a person continues after a used-up budget",
    { ...used("open"), ...kept({ reason: "budget" }), isByHand: true },
    goesOn,
  ],
  [
    "after the last automatic continuation a person is asked",
    { ...used("open"), ...kept({ continuations: 5 }) },
    says("limits.max_continuations is 5"),
  ],
  [
    "tampering is never continued",
    { ...used("open"), ...kept({ reason: "tampering" }) },
    says("waits"),
  ],
  ["without a branch, a new session starts", {}, first],
  ["a session that waits without a branch continues", kept({ passed: 0 }), goesOn],
  [
    "a task that failed is not paid for again while nothing changed",
    kept({ reason: "task_failed", passed: 0 }),
    says("resume-from: 1001"),
  ],
  [
    "after a change, a new session starts",
    kept({ reason: "task_failed", passed: 0, start: "c".repeat(40) }),
    first,
  ],
  [
    "a branch that was never proposed is published",
    { ...used(), ...kept({ reason: "all_done" }) },
    publishes,
  ],
  [
    "so is one whose session ended with a failed task",
    { ...used(), ...kept({ reason: "task_failed" }) },
    publishes,
  ],
  ["one without a known session is refused", used(), { kind: "refuse" }],
  [
    "one that holds nothing new is used",
    { used: [{ name, tip: "a", isInHistory: true }], free: `${name}-2` },
    first,
  ],
  ["one that wants no pull request waits", { ...used(), wantsPull: false }, says("merge it")],
  ["after a merge, the next name is used", used("merged"), second],
  [
    "a session on the next name continues",
    { ...used("merged"), ...kept(onSecond) },
    { kind: "continue", branch: `${name}-2` },
  ],
  ["after a closed pull request a schedule is quiet", used("closed"), says("by hand or change")],
  [
    "after a closed pull request a person starts on the next name",
    { ...used("closed"), isByHand: true },
    second,
  ],
  [
    "what a person started there continues on schedule",
    { ...used("closed"), ...kept(onSecond) },
    { kind: "continue", branch: `${name}-2` },
  ],
  ["someone else's pull request is named", used("open", false), { kind: "refuse" }],
];

test.each(rows)("%s", (_, given, expected) => {
  expect(decideWork({ ...facts, ...given })).toMatchObject(expected);
});

test("an open pull request among earlier merged ones decides", () => {
  const names = [
    { name, pull: pull("merged") },
    { name: `${name}-2`, pull: { ...pull("open"), number: 2 } },
  ];
  expect(decideWork({ ...facts, used: names, free: `${name}-3` })).toMatchObject(
    says("Pull request #2"),
  );
});
