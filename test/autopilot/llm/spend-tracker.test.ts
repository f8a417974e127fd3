import { basename } from "node:path";
import { expect, test } from "vitest";
import type { Model } from "../../../src/autopilot/llm/model.ts";
import { openSpendTracker } from "../../../src/autopilot/llm/spend-tracker.ts";
import { openSessionStore } from "../../../src/journal/session-store.ts";
import { spentByOthers } from "../../../src/session/loop/day-spending.ts";
import { scriptedModel } from "../../support/autopilot/team.ts";
import { configWith } from "../../support/builders/config.ts";
import { createTestSystem, type TestSystem } from "../../support/project/system.ts";

const nothing = { calls: 0, usage: {} };
const runId = "20260125-143052-a7b3c9";
const tokens = { input_tokens: 1_000_000, output_tokens: 100_000 };
const pricing = { "test-model": { input: 0.5, output: 5 } };

async function trackerIn(system: TestSystem, rules: object, more: Partial<Model> = {}) {
  const env = { RALPH_STATE_DIR: `${system.root}/state` };
  const store = openSessionStore({ ...system, env }, { gitDir: "/r/.git", root: "/r" });
  await system.files(system.root).makeFolder(`state/${basename(store.folder)}`);
  const model = { ...scriptedModel(""), ...more };
  const owner = { store, clock: system.clock, config: configWith(rules), runId, asked: nothing };
  const day = () => spentByOthers(store, { sessionId: "", now: system.clock.now() });
  return { day, open: (asked = nothing) => openSpendTracker(model, { ...owner, asked }) };
}

test("a question is priced, added to the day's spending, and counted against the session's budget", async () => {
  await using system = await createTestSystem();
  const { open, day } = await trackerIn(system, { pricing, limits: { budget_usd: 2 } });
  const tracker = open();
  await tracker.requireLeft();
  await tracker.add(tokens);
  await tracker.requireLeft();
  await tracker.add(tokens);
  expect(tracker.asked()).toEqual({
    calls: 2,
    usage: { input_tokens: 2_000_000, output_tokens: 200_000, cost_usd: 2 },
    by: "anthropic test-model",
  });
  expect(await day()).toEqual({ day: "2026-01-25", usd: 2 });
  await expect(open(tracker.asked()).requireLeft()).rejects.toMatchObject({
    reason: "budget",
    message: "Budget: $2.00 of $2.00 for this session is spent; no further question is asked.",
    remedy: expect.stringContaining("RALPH_BUDGET_USD=USD ralph autopilot --resume"),
  });
});

test("another run of the same day counts the spending of this one", async () => {
  await using system = await createTestSystem();
  const { open } = await trackerIn(system, { pricing, limits: { budget_usd_per_day: 1 } });
  await open().add(tokens);
  await expect(open().requireLeft()).rejects.toMatchObject({
    message: expect.stringContaining("$1.00 of $1.00 for 2026-01-25 (UTC)"),
  });
  system.clock.advance(24 * 3_600_000);
  await open().requireLeft();
});

test.each([
  ["cost", {}, true],
  ["tokens", {}, false],
  ["tokens", pricing, true],
  ["nothing", pricing, false],
] as const)(
  "with a budget, a model that reports %s with prices %j is accepted: %s",
  async (reportedUsage, prices, isAccepted) => {
    await using system = await createTestSystem();
    const limits = { budget_usd: 1 };
    const { open } = await trackerIn(system, { pricing: prices, limits }, { reportedUsage });
    if (isAccepted) expect(open().asked()).toEqual(nothing);
    else expect(open).toThrow(/anthropic test-model/);
  },
);

test("without a budget a model need not report its cost", async () => {
  await using system = await createTestSystem();
  const tracker = (await trackerIn(system, {}, { reportedUsage: "nothing" })).open();
  await tracker.add({});
  await tracker.requireLeft();
  expect(tracker.asked()).toMatchObject({ calls: 1, usage: {} });
});

test("a missing cost ends a run with a budget, because the budget cannot be enforced", async () => {
  await using system = await createTestSystem();
  const tracker = (
    await trackerIn(system, { limits: { budget_usd: 1 } }, { reportedUsage: "cost" })
  ).open();
  await expect(tracker.add({})).rejects.toMatchObject({ exitCode: 21 });
});
