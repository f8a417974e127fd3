import { expect, test } from "vitest";
import { thin } from "../support/crash/sweep.ts";
import { chromium } from "../support/services/chromium.ts";
import { findKillPoints, killAt, killPlaces } from "../support/services/kills.ts";

const hour = 3_600_000;

test.skipIf(!chromium).each(killPlaces)(
  "$command killed at any effect while services run, sandbox $sandbox: no process and no open port is left",
  async (place) => {
    const faults: string[] = [];
    for (const point of thin(await findKillPoints(place), 1)) {
      const found = await killAt(place, point);
      if (found.length > 0) console.info(found.join("\n"));
      faults.push(...found);
    }
    expect(faults).toEqual([]);
  },
  hour,
);
