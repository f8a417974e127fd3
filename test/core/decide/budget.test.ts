import { describe, expect, test } from "vitest";
import { type Budgets, noBudgets } from "../../../src/core/decide/budget.ts";
import { nextSteps } from "../../../src/core/decide/next-steps.ts";
import type { Policy } from "../../../src/core/decide/policy.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import {
  agentEnd,
  criteriaEnd,
  failed,
  gateEnd,
  passing,
  policy,
  reviewed,
  runOf,
  start,
  task,
  testsDone,
} from "../../support/builders/session.ts";

const T = "T-001";
const tasks = [task(T), task("T-002")];

/** What the loop would do now, as a short word; the journals here are of 2026-01-25. */
function next(facts: Fact[], budgets: Partial<Budgets>, more: Partial<Policy> = {}): string {
  const given = policy({ budgets: { ...noBudgets, ...budgets }, ...more });
  const [step] = nextSteps(runOf(tasks, facts), given);
  if (step?.kind === "call-agent") return step.role;
  if (step?.kind === "end") return `end: ${step.reason}`;
  return step?.kind === "give-up" ? step.as : (step?.kind ?? "nothing");
}

function message(facts: Fact[], budgets: Partial<Budgets>): string {
  const given = policy({ budgets: { ...noBudgets, ...budgets } });
  const [step] = nextSteps(runOf(tasks, facts), given);
  return step && "message" in step ? step.message : "";
}

const worked = (cost_usd: number): Fact[] => [start(T), agentEnd(T, { usage: { cost_usd } })];
const judged = (cost_usd: number): Fact[] => [
  ...worked(cost_usd),
  { ...testsDone(T), usage: { cost_usd: 0 } },
  gateEnd(T),
  criteriaEnd(T),
];
const rejected = (cost_usd: number): Fact[] => [
  ...judged(cost_usd),
  { ...reviewed(T, "review-rejected"), usage: { cost_usd: 0 } },
  failed(T, "review"),
];
const done = (cost_usd: number, id = T): Fact[] =>
  passing(id).map((fact) =>
    fact.type === "agent_end"
      ? { ...fact, usage: { cost_usd: fact.role === "implementation" ? cost_usd : 0 } }
      : fact,
  );
const limited: Fact = agentEnd(T, {
  outcome: { kind: "limited", message: "limit" },
  signal: { kind: "missing" },
  usage: { cost_usd: 1 },
});

describe("a session's budget", () => {
  test.each<[string, Fact[], Partial<Budgets>, string]>([
    ["no budget", worked(100), {}, "test_writing"],
    ["nothing may be spent", [], { session: 0 }, "end: budget"],
    ["below nine tenths", worked(0.89), { session: 1 }, "test_writing"],
    ["at nine tenths the tests are still written", worked(0.9), { session: 1 }, "test_writing"],
    ["at nine tenths the review still comes", judged(0.95), { session: 1 }, "review"],
    ["at nine tenths no new iteration", rejected(0.9), { session: 1 }, "end: budget"],
    ["below nine tenths a new iteration", rejected(0.89), { session: 1 }, "implementation"],
    ["at nine tenths no new task", done(0.9), { session: 1 }, "end: budget"],
    ["below nine tenths a new task", done(0.89), { session: 1 }, "start-task"],
    ["used up, no tests are written", worked(1), { session: 1 }, "end: budget"],
    ["used up, no review comes", judged(1.2), { session: 1 }, "end: budget"],
    ["used up, nobody waits for a limit", [start(T), limited], { session: 1 }, "end: budget"],
    ["below it a limit is waited for", [start(T), limited], { session: 2 }, "wait"],
    [
      "used up, what costs nothing still happens",
      [...judged(1), { ...reviewed(T), usage: { cost_usd: 0.5 } }],
      { session: 1 },
      "pass",
    ],
    [
      "used up by the last task, all is done",
      [...done(0.5), ...done(5, "T-002")],
      { session: 1 },
      "end: all_done",
    ],
  ])("%s", (_, facts, budgets, step) => {
    expect(next(facts, budgets)).toBe(step);
  });

  test("is kept before setup steps are run for nothing", () => {
    expect(next([], { session: 0 }, { setup: ["install"] })).toBe("end: budget");
    expect(next([], { session: 1 }, { setup: ["install"] })).toBe("setup");
  });

  test("counts calls that failed, and sums of small amounts exactly", () => {
    const third: Fact = { ...agentEnd(T), usage: { cost_usd: 0.3 } };
    expect(next([start(T), third, third, third, failed(T, "signal")], { session: 1 })).toBe(
      "end: budget",
    );
  });

  test("outlives a resumption", () => {
    const resumed: Fact[] = [...worked(0.95), { type: "session_resume", sandbox: "off" }];
    expect(next(resumed, { session: 1 })).toBe("end: budget");
    expect(next(resumed, { session: 2 })).toBe("start-task");
  });

  test("says what was spent, the bound and the way on", () => {
    expect(message(worked(1.25), { session: 1 })).toBe(
      "Budget: $1.25 of $1.00 for this session is spent; nothing more is started. To continue, give it a larger total budget: `ralph run --resume --budget USD`.",
    );
    expect(message(done(0.95), { session: 1 })).toContain("no new task or iteration is started");
  });
});

describe("a day's budget", () => {
  const others = (day: string, usd: number) => ({ day: 1, others: { day, usd } });
  test.each<[string, Fact[], Partial<Budgets>, string]>([
    ["counts what others spent today", [], others("2026-01-25", 1), "end: budget"],
    ["lands at nine tenths too", [], others("2026-01-25", 0.9), "end: budget"],
    ["forgets what they spent yesterday", [], others("2026-01-24", 1), "check-start"],
    ["adds this session's part", worked(0.6), others("2026-01-25", 0.4), "end: budget"],
    ["leaves the rest", worked(0.5), others("2026-01-25", 0.3), "test_writing"],
  ])("%s", (_, facts, budgets, step) => {
    expect(next(facts, budgets)).toBe(step);
  });

  test("forgets what this session spent before midnight", () => {
    const state = runOf(tasks, worked(5));
    const given = policy({ budgets: { ...noBudgets, day: 1 } });
    const [today] = nextSteps(state, given);
    const [tomorrow] = nextSteps({ ...state, ts: "2026-01-26T00:00:01.000Z" }, given);
    expect([today?.kind, tomorrow?.kind]).toEqual(["end", "call-agent"]);
  });

  test("says when it renews", () => {
    expect(message(worked(2), { day: 1 })).toContain(
      "Budget: $2.00 of $1.00 for 2026-01-25 (UTC) is spent; nothing more is started. Continue after 00:00 UTC",
    );
  });
});

describe("a task's budget", () => {
  test.each<[string, Fact[], Partial<Budgets>, string]>([
    ["used up, the task is blocked", worked(1), { task: 1 }, "blocked"],
    ["at nine tenths it goes on", rejected(0.95), { task: 1 }, "implementation"],
    ["used up by its last call, it passes", done(3).slice(0, 6), { task: 1 }, "pass"],
    ["another task has its own", done(3), { task: 1 }, "start-task"],
    ["the session's comes first", worked(1), { task: 1, session: 1 }, "end: budget"],
  ])("%s", (_, facts, budgets, step) => {
    expect(next(facts, budgets)).toBe(step);
  });

  test("says so in the task's note", () => {
    expect(message(worked(1.5), { task: 1 })).toContain(
      "Budget: $1.50 of $1.00 for one task is spent. Split the task",
    );
  });
});

describe("an unknown cost", () => {
  const untold = [start(T), agentEnd(T)];
  test("ends the session under any budget, and only then", () => {
    expect(next(untold, { session: 9 })).toBe("end: budget");
    expect(next(untold, { task: 9 })).toBe("end: budget");
    expect(message(untold, { day: 9 })).toContain("The agent program reported no cost");
    expect(next(untold, {})).toBe("test_writing");
  });

  test("of a call that failed does not", () => {
    const crash = agentEnd(T, {
      outcome: { kind: "failed", class: "agent", message: "killed" },
      signal: { kind: "missing" },
    });
    expect(next([start(T), crash], { session: 9 })).toBe("wait");
  });

  test("before a resumption is forgiven", () => {
    expect(next([...untold, { type: "session_resume", sandbox: "off" }], { session: 9 })).toBe(
      "start-task",
    );
  });
});
