import { expect, test } from "vitest";
import { createCrashTemplate } from "../support/crash/project.ts";
import { enumeratePoints, sweep } from "../support/crash/sweep.ts";

const hour = 3_600_000;

test(
  "a run killed at any of its effects is resumed without a loss (R1, F01, G09)",
  async () => {
    await using template = await createCrashTemplate();
    const points = await enumeratePoints(template);
    expect(points.length).toBeGreaterThan(1000);
    const began = performance.now();
    expect(await sweep(template, points)).toEqual([]);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.info(`${points.length} kill points in ${seconds} s`);
  },
  hour,
);
