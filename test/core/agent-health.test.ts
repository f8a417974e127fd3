import { expect, test } from "vitest";
import { nextSteps } from "../../src/core/decide/next-steps.ts";
import type { Fact } from "../../src/core/state/event.ts";
import type { AgentOutcome } from "../../src/core/state/roles.ts";
import { agentEnd, policy, runOf, start, task } from "../support/builders/session.ts";

const T = "T-001";
const crash: AgentOutcome = { kind: "failed", class: "agent", message: "exit 1" };
const call = (outcome: AgentOutcome): Fact =>
  agentEnd(T, { outcome, signal: { kind: "missing" }, tree: "t0" });
const waited: Fact = { type: "wait", because: "backoff", ms: 1, until: "" };
const answered: Fact = agentEnd(T, { signal: { kind: "missing" }, tree: "t0" });

function next(facts: Fact[], given = {}) {
  const [step] = nextSteps(runOf([task(T)], [start(T), ...facts]), policy(given));
  return step;
}

test("a crashed agent is called again after a wait that doubles", () => {
  expect(next([call(crash)])).toMatchObject({ kind: "wait", because: "backoff", ms: 1000 });
  expect(next([call(crash), waited])).toMatchObject({ kind: "call-agent" });
  expect(next([call(crash), waited, call(crash)])).toMatchObject({ kind: "wait", ms: 2000 });
});

test("the third failure in a row opens the breaker; one that never answered is named so", () => {
  const three = [call(crash), waited, call(crash), waited, call(crash)];
  expect(next(three)).toMatchObject({ kind: "end", reason: "agent_error" });
  expect(next([answered, ...three])).toMatchObject({ kind: "end", reason: "breaker" });
});

test("a failure beside a wait that was decided before it is not lost", () => {
  // After the starts of session and task, and the first failure.
  const early: Fact = { ...waited, after: 3 };
  expect(next([call(crash), call(crash), early])).toMatchObject({ kind: "wait", ms: 2000 });
  const three = [call(crash), waited, call(crash), call(crash), { ...early, after: 5 }];
  expect(next(three)).toMatchObject({ kind: "end", reason: "agent_error" });
});

test("an answer in between closes the breaker again", () => {
  expect(next([call(crash), waited, call(crash), answered, call(crash)])).toMatchObject({
    kind: "wait",
    ms: 1000,
  });
});

test("a program that cannot be started ends the session at once, as configuration", () => {
  const missing: AgentOutcome = { kind: "failed", class: "configuration", message: "not on PATH" };
  expect(next([call(missing)])).toMatchObject({ kind: "end", reason: "config" });
});

test("an answer beside a failure undoes the count, and not the wait", () => {
  expect(next([call(crash), answered])).toMatchObject({ kind: "wait", ms: 1000 });
  expect(next([call(limited()), answered])).toMatchObject({ kind: "wait", because: "limit" });
  const missing: AgentOutcome = { kind: "failed", class: "configuration", message: "not on PATH" };
  expect(next([call(missing), answered])).toMatchObject({ kind: "end", reason: "config" });
});

test("only failures of the agent itself spend iterations", () => {
  const killed: AgentOutcome = { kind: "failed", class: "infrastructure", message: "killed" };
  const iteration = (outcome: AgentOutcome) =>
    runOf([task(T)], [start(T), call(outcome)]).tasks[0]?.iteration;
  expect(iteration(crash)).toBe(2);
  expect(iteration(killed)).toBe(1);
  expect(iteration({ kind: "limited", message: "limit" })).toBe(1);
});

const limited = (resets_at?: string): AgentOutcome => ({
  kind: "limited",
  message: "limit reached",
  ...(resets_at && { resets_at }),
});
// The call ends at 14:30:54 in these journals.
test.each([
  ["waits for the stated reset and a little more", "2026-01-25T14:40:54.000Z", [], 605_000],
  ["climbs a ladder when none is stated", undefined, [], 60_000],
  ["a reset in the past is tried at once", "2026-01-25T14:00:00.000Z", [], 0],
])("%s", (_, resets, deadlines, ms) => {
  expect(next([call(limited(resets))], { deadlines })).toMatchObject({
    kind: "wait",
    because: "limit",
    ms,
  });
});

test("the ladder: 1, 5, 30, 60 minutes", () => {
  const facts: Fact[] = [];
  const waits = [1, 2, 3, 4, 5].map(() => {
    facts.push(call(limited()));
    const step = next(facts);
    facts.push({ ...waited, because: "limit" } as Fact);
    return step?.kind === "wait" ? step.ms / 60_000 : step;
  });
  expect(waits).toEqual([1, 5, 30, 60, 60]);
});

test.each([
  ["later than an hour without a deadline", "2026-01-25T16:00:00.000Z", []],
  [
    "after the deadline",
    "2026-01-25T14:40:00.000Z",
    [{ at: Date.parse("2026-01-25T14:35:00.000Z"), reason: "checkpoint" }],
  ],
])("a reset %s is a checkpoint that states the time", (_, resets, deadlines) => {
  const step = next([call(limited(resets))], { deadlines });
  expect(step).toMatchObject({ kind: "end", reason: "checkpoint" });
  expect(step?.kind === "end" && step.message).toContain(resets.slice(0, 16));
});

test("a long way to the deadline allows a wait of more than an hour", () => {
  const deadlines = [{ at: Date.parse("2026-01-25T20:00:00.000Z"), reason: "checkpoint" }];
  expect(next([call(limited("2026-01-25T16:30:00.000Z"))], { deadlines })).toMatchObject({
    kind: "wait",
  });
});

test("work that cannot finish before the deadline is not started", () => {
  const slow = agentEnd(T, { ms: 60_000, signal: { kind: "missing" }, tree: "t9" });
  const retry: Fact = {
    type: "iteration_failed",
    task: T,
    iteration: 1,
    because: "signal",
    feedback: "",
    fingerprint: "missing",
    tree: "t9",
  };
  const at = (time: string) => ({ deadlines: [{ at: Date.parse(time), reason: "max_runtime" }] });
  expect(next([slow, retry], at("2026-01-25T14:31:30.000Z"))).toMatchObject({
    kind: "end",
    reason: "max_runtime",
  });
  expect(next([slow, retry], at("2026-01-25T14:33:00.000Z"))).toMatchObject({ kind: "call-agent" });
});

test("no wait lasts past the deadline, and a call it cut short is no failure of the agent", () => {
  const deadlines = [{ at: Date.parse("2026-01-25T14:30:57.500Z"), reason: "max_runtime" }];
  const outOfTime = { kind: "end", reason: "max_runtime" };
  const twice = [call(crash), waited, call(crash)];
  expect(next([call(crash)], { deadlines })).toMatchObject({ kind: "wait" });
  expect(next(twice, { deadlines })).toMatchObject(outOfTime);
  const third = [{ at: Date.parse("2026-01-25T14:30:58.000Z"), reason: "max_runtime" }];
  expect(next([...twice, waited, call(crash)], { deadlines: third })).toMatchObject(outOfTime);
});
