import { expect, test } from "vitest";
import { createCrashTemplate } from "../support/crash/project.ts";
import { enumeratePoints, sweep, thin } from "../support/crash/sweep.ts";

const quarter = 900_000;

test(
  "a run killed at any of 50 effects, spread over all kinds, is resumed without a loss (R1, F01)",
  async ({ task: { meta } }) => {
    await using template = await createCrashTemplate();
    const points = thin(await enumeratePoints(template), 3);
    expect(points.length).toBeGreaterThanOrEqual(50);
    meta.figure = `${points.length} kill points`;
    expect(await sweep(template, points)).toEqual([]);
  },
  quarter,
);
