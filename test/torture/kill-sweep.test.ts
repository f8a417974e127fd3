import { expect, test } from "vitest";
import {
  enumerateStages,
  inRows,
  inTurn,
  sweepStages,
} from "../support/crash/publication-sweep.ts";
import { createPublishedTemplate } from "../support/crash/published-run.ts";
import { thin } from "../support/crash/sweep.ts";
import { amount } from "../support/torture/amount.ts";

const hour = 3_600_000;
const least = amount(50, 1000);

test(
  "a run of five tasks and its publication, killed at any effect, go on without a loss (R1, F01, F55, G09)",
  async ({ task: { meta } }) => {
    await using template = await createPublishedTemplate();
    const points = inTurn(await enumerateStages(template));
    const chosen = thin(points, amount(2, points.length));
    expect(chosen.length).toBeGreaterThanOrEqual(least);
    const { faults } = await sweepStages(template, inRows(chosen, 1));
    meta.figure = `${chosen.length} kill points of ${points.length} effects`;
    expect(faults).toEqual([]);
  },
  hour,
);
