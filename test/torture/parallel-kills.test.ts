import { expect, test } from "vitest";
import { createParallelTemplate, killAtRandom } from "../support/crash/parallel-kills.ts";
import { amount } from "../support/torture/amount.ts";

test("tasks side by side, killed at random: none is lost, none is done twice (F02, G09)", async ({
  task: { meta },
}) => {
  await using template = await createParallelTemplate();
  const { faults, kills } = await killAtRandom(template, amount(20, 500));
  meta.figure = `${kills} random kills`;
  expect(faults).toEqual([]);
}, 7_200_000);
