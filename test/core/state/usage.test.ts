import { expect, test } from "vitest";
import { addUsage } from "../../../src/core/state/usage.ts";
import { agentEnd, runOf, start, task } from "../../support/builders/session.ts";

test("figures add up, and one that was never reported stays unknown", () => {
  const sum = addUsage({ cost_usd: 0.1, turns: 2 }, { cost_usd: 0.2, output_tokens: 5 });
  expect(sum).toEqual({ cost_usd: 0.3, turns: 2, output_tokens: 5 });
});

test("a run knows what each role has used and what each day has cost", () => {
  const state = runOf(
    [task("T-001")],
    [
      start("T-001"),
      agentEnd("T-001", { usage: { cost_usd: 0.1, turns: 3 } }),
      agentEnd("T-001", { usage: { cost_usd: 0.2 } }),
      agentEnd("T-001", { role: "review", usage: {} }),
    ],
  );
  expect(state.usageByRole).toEqual({
    implementation: { calls: 2, cost_usd: 0.3, turns: 3 },
    review: { calls: 1 },
  });
  expect(state.spentByDay).toEqual({ "2026-01-25": 0.3 });
  expect(state.unknownCosts).toBe(1);
});
