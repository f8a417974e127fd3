import { expect, onTestFinished, test, vi } from "vitest";
import { createPace } from "../../src/platform/clock.ts";

test("a burst goes at once, then one comes in each interval, and each id has its own turns", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pace = createPace({ burst: 3, intervalMs: 1000 });
  const begin = Date.now();
  const went: string[] = [];
  const go = (id: string) => pace(id).then(() => went.push(`${id} ${Date.now() - begin}`));
  for (let each = 0; each < 5; each += 1) go("a");
  go("b");
  await vi.advanceTimersByTimeAsync(0);
  expect(went).toEqual(["a 0", "a 0", "a 0", "b 0"]);
  await vi.advanceTimersByTimeAsync(2000);
  expect(went.slice(4)).toEqual(["a 1000", "a 2000"]);
  await vi.advanceTimersByTimeAsync(60_000);
  went.length = 0;
  for (let each = 0; each < 4; each += 1) go("a");
  await vi.advanceTimersByTimeAsync(1000);
  expect(went).toEqual(["a 62000", "a 62000", "a 62000", "a 63000"]);
});

test("a wall clock that is set back delays no one", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pace = createPace({ burst: 1, intervalMs: 1000 });
  await pace("a");
  vi.setSystemTime(Date.now() - 3_600_000);
  let went = false;
  pace("a").then(() => {
    went = true;
  });
  await vi.advanceTimersByTimeAsync(1000);
  expect(went).toBe(true);
});
