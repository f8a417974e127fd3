import { expect, test } from "vitest";
import { sampled } from "../../setup/sampled.ts";
import { createCrashTemplate } from "../../support/crash/project.ts";
import { enumeratePoints, sweep, thin } from "../../support/crash/sweep.ts";

// `npm run torture` kills at every effect; this takes one of each kind.
test("a run killed at an effect of any kind is resumed without a loss (R1, F01)", async () => {
  await using template = await createCrashTemplate();
  const every = await enumeratePoints(template);
  // After one effect is before the next.
  const points = thin(
    every.filter(({ how }) => how !== "after"),
    1,
  );
  const kinds = new Set(points.map(({ name }) => name.split(" ")[0]));
  const all = "append ask copy-locked flush make-folder open-append remove supervise sync write";
  expect([...kinds].sort().join(" ")).toBe(all);
  expect(await sweep(template, sampled(points, 1))).toEqual([]);
});
