import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { createTurn } from "../../../src/platform/locks/in-turn.ts";

test("acts come one after the other, in the order they were asked for", async () => {
  const inTurn = createTurn();
  const told: string[] = [];
  const act = (name: string, ms: number) =>
    inTurn(async () => {
      told.push(`${name} begins`);
      await sleep(ms);
      told.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([act("slow", 20), act("quick", 0)])).toEqual(["slow", "quick"]);
  expect(told).toEqual(["slow begins", "slow ends", "quick begins", "quick ends"]);
});

test("one that fails is its own asker's trouble", async () => {
  const inTurn = createTurn();
  const broken = inTurn(() => Promise.reject(new Error("broken")));
  const next = inTurn(async () => "fine");
  await expect(broken).rejects.toThrow("broken");
  expect(await next).toBe("fine");
});
