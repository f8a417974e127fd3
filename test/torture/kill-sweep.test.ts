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
    const effects = await enumerateStages(template);
    const second = inTurn(effects, 1).filter((_, index) => index % 3 === 0);
    const points = [...inTurn(effects), ...second];
    const chosen = thin(points, amount(2, points.length));
    expect(chosen.length).toBeGreaterThanOrEqual(least);
    const { faults } = await sweepStages(template, inRows(chosen, 1));
    meta.figure = `${chosen.length} kill points of ${effects.length} effects`;
    expect(faults).toEqual([]);
  },
  hour,
);
