import { expect, test } from "vitest";
import { apply } from "../../../src/core/state/apply.ts";
import type { Fact } from "../../../src/core/state/event.ts";
import type { SessionState } from "../../../src/core/state/session-state.ts";
import { summarize } from "../../../src/views/summary/summary.ts";
import { callsOf, usageByModel } from "../../../src/views/summary/summary-calls.ts";
import {
  agentEnd,
  events,
  reviewed,
  runOf,
  sessionStart,
  start,
  task,
} from "../../support/builders/session.ts";

type Begun = { role?: "implementation" | "review"; model?: string };
const begin = (id: string, { role = "implementation", model }: Begun = {}): Fact => ({
  type: "agent_start",
  task: id,
  role,
  iteration: 1,
  driver: "claude",
  ...(model && { model }),
  prompt: { sha256: "d".repeat(64), bytes: 10 },
});
const cost = (cost_usd: number) => ({ usage: { cost_usd, turns: 2 } });

const facts: Fact[] = [
  start("T-001"),
  begin("T-001", { model: "opus" }),
  agentEnd("T-001", cost(0.1)),
  begin("T-001", { role: "review" }),
  { ...reviewed("T-001", "review-rejected"), ...cost(0.5) } as Fact,
  begin("T-001", { model: "opus" }),
  agentEnd("T-001", { outcome: { kind: "limited", message: "later" }, ...cost(0.2) }),
  begin("T-001", { model: "haiku" }),
  { type: "session_resume", sandbox: "off" },
  begin("T-001"),
];

test("each call has its time and outcome", () => {
  const calls = callsOf(events(facts));
  expect(calls.map(({ role, model, outcome }) => [role, model, outcome])).toEqual([
    ["implementation", "opus", "accepted"],
    ["review", null, "refused"],
    ["implementation", "opus", "limited"],
    ["implementation", "haiku", "interrupted"],
    ["implementation", null, "running"],
  ]);
  expect(calls[0]).toMatchObject({
    started_at: "2026-01-25T14:30:53.000Z",
    ended_at: "2026-01-25T14:30:54.000Z",
  });
  expect(calls.at(-1)?.ended_at).toBeNull();
});

test("use is summed by role, program and model", () => {
  expect(usageByModel(callsOf(events(facts)))).toEqual([
    { role: "implementation", driver: "claude", model: "opus", calls: 2, cost_usd: 0.3, turns: 4 },
    { role: "review", driver: "claude", model: null, calls: 1, cost_usd: 0.5, turns: 2 },
  ]);
});

test("a summary has calls and models only with the events", () => {
  const state = runOf([task("T-001")], facts);
  expect(summarize(state)).toMatchObject({ calls: null, usage_by_model: null });
  const full = summarize(state, events(facts));
  expect(full.calls).toHaveLength(5);
  expect(full.usage_by_model).toHaveLength(2);
  expect(full.next).toBe("Wait, or follow it with `ralph status --watch`.");
});

test("questions before the session come first, with their sum, and in the totals once", () => {
  const planning = {
    ...{ run_id: "20260125-143000-aaaaaa", driver: "anthropic", model: "opus" },
    ...{ calls: 3, usage: { cost_usd: 1, input_tokens: 7 } },
  };
  const all = events([sessionStart([task("T-001")], { planning }), ...facts]);
  const state = all.reduce<SessionState | undefined>(apply, undefined);
  if (!state) throw new Error("unreachable: the first event makes a run");
  const { usage_by_model, usage_by_role, cost_usd } = summarize(state, all);
  const used = { calls: 3, cost_usd: 1, input_tokens: 7 };
  expect(usage_by_model?.[0]).toEqual({
    role: "planning",
    driver: "anthropic",
    model: "opus",
    ...used,
  });
  expect(usage_by_role.planning).toEqual(used);
  expect(cost_usd).toBe(1.8);
});
