import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { clock } from "../../src/platform/clock.ts";
import { createTurn } from "../../src/platform/locks/in-turn.ts";

test("sleep lasts as long as asked", async () => {
  const began = clock.monotonic();
  await clock.sleep(30);
  expect(clock.monotonic() - began).toBeGreaterThanOrEqual(29);
});

test("sleep ends at once when its signal aborts, or has aborted before", async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 10);
  await clock.sleep(1e9, controller.signal);
  await clock.sleep(1e9, controller.signal);
});

test("a time too long for a timer does not end at once", async () => {
  const controller = new AbortController();
  const ended = clock.sleep(2 ** 40, controller.signal).then(() => "ended");
  expect(await Promise.race([ended, clock.sleep(20).then(() => "still asleep")])).toBe(
    "still asleep",
  );
  controller.abort();
  expect(await ended).toBe("ended");
});

test("now is the wall clock in milliseconds", () => {
  const before = Date.now();
  const now = clock.now();
  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});

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
