import { expect, test } from "vitest";
import { checkBudget } from "../../../src/session/open/check-agents.ts";
import { configWith, everyRole } from "../../support/builders/config.ts";

const budget = { limits: { budget_usd: 5 } };
const free = { default: { input: 0, output: 0 } };

test.each([
  ["a budget with claude", {}, budget],
  ["no budget with a silent program", everyRole({ driver: "command", command: "sh" }), {}],
  ["prices without a budget", {}, { pricing: free }],
])("%s is fine", (_, agents, more) => {
  expect(() => checkBudget(configWith({ agents, ...more }))).not.toThrow();
});

const silent = { driver: "command", command: "sh" };
test.each([
  ["per session", { limits: { budget_usd: 5 } }],
  ["per session, of nothing", { limits: { budget_usd: 0 } }],
  ["per task", { limits: { budget_usd_per_task: 1 } }],
  ["per day", { limits: { budget_usd_per_day: 1 } }],
  ["with a price, which cannot help", { ...budget, pricing: free }],
])("a budget %s with a program that reports nothing is refused", (_, more) => {
  const given = configWith({ agents: { review: silent }, ...more });
  expect(() => checkBudget(given)).toThrow(
    expect.objectContaining({
      reason: "config",
      message: expect.stringMatching(/agents\.review \(driver command\): .*a price does not help/),
      remedy: expect.stringContaining("pricing"),
    }),
  );
});
