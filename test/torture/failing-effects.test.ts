import { expect, test } from "vitest";
import { createCrashTemplate } from "../support/crash/project.ts";
import { enumeratePoints, failing, injectErrors, thin } from "../support/crash/sweep.ts";
import { amount } from "../support/torture/amount.ts";

const hour = 3_600_000;

test(
  "a disk that is full for any one effect of a run costs nothing but that run (F04, F05, G09)",
  async ({ task: { meta } }) => {
    await using template = await createCrashTemplate();
    const points = thin(failing(await enumeratePoints(template)), amount(2, 20));
    meta.figure = `${points.length} errors injected`;
    expect(await injectErrors(template, points)).toEqual([]);
  },
  hour,
);
