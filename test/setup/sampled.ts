import { test } from "vitest";
import { spread } from "../../src/core/checks/hunks.ts";

/** CI sets FC_RUNS: it runs every case of a sweep and every long journey. A contributor waits for a sample. */
export const runsAll = process.env.FC_RUNS !== undefined;

/** A test for CI. What it proves at length, a contributor's run proves with a shorter test, or one of the decision itself. */
export const thorough = test.runIf(runsAll);

/** CI and `npm run torture` have a machine of their own: they measure times, and play every attack. */
export const isMeasured = runsAll || process.env.TORTURE !== undefined;

if (!runsAll) {
  console.info("skipped: the longest journeys and most cases of sweeps; FC_RUNS=100 runs them all");
}

/** All cases where CI asks for them, else `few` of them, spread evenly. */
export const sampled = <Case>(cases: readonly Case[], few: number): Case[] =>
  runsAll ? [...cases] : spread(cases, few);

/** How often a sweep repeats itself: `many` times in CI. */
export const times = (few: number, many: number): number => (runsAll ? many : few);
