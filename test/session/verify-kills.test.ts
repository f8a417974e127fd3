import { expect, test } from "vitest";
import { runsAll } from "../setup/sampled.ts";
import { chromium } from "../support/services/chromium.ts";
import { findKillPoints, killAt, killPlaces } from "../support/services/kills.ts";

/** A service that starts, and one that runs; `test/torture` has the other moments. */
const moments = [/^within start-long .*backend/, /^after write .*pids\/frontend/];

test.runIf(chromium && runsAll).each(killPlaces)(
  "$command killed while services run, sandbox $sandbox: no process and no open port is left",
  async (place) => {
    const points = await findKillPoints(place);
    for (const moment of moments) {
      const point = points.find(({ how, name }) => moment.test(`${how} ${name}`));
      if (!point) throw new Error(`There is no point ${moment}.`);
      expect(await killAt(place, point)).toEqual([]);
    }
  },
);
