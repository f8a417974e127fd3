import { expect, test } from "vitest";
import { clock } from "../../src/platform/clock.ts";

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
