import fc from "fast-check";
import { expect, test } from "vitest";
import { instantIn, localTimeIn } from "../../../src/agents/drivers/zoned-time.ts";

const zones = ["UTC", "Europe/Rome", "America/Los_Angeles", "Asia/Calcutta", "Pacific/Apia"];

test("reading the clock and finding the instant again are inverse, but for the hour that comes twice", () => {
  const minutes = fc.integer({ min: 0, max: 30_000_000 }).map((count) => count * 60_000);
  fc.assert(
    fc.property(minutes, fc.constantFrom(...zones), (instant, zone) => {
      const local = localTimeIn(instant, zone);
      if (!local) throw new Error("unreachable: the zones are known");
      const again = instantIn(local, zone);
      expect(localTimeIn(again, zone)).toEqual(local);
      expect(Math.abs(again - instant)).toBeLessThanOrEqual(3_600_000);
    }),
  );
});

test("an unknown zone has no time", () => {
  expect(localTimeIn(0, "Nowhere/City")).toBeUndefined();
});
