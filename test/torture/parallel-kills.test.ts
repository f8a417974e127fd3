import { expect, test } from "vitest";
import { createParallelTemplate, killAtRandom } from "../support/crash/parallel-kills.ts";

const kills = 500;

test("tasks side by side, killed 500 times at random: none is lost, none is done twice", async () => {
  await using template = await createParallelTemplate();
  const began = performance.now();
  expect(await killAtRandom(template, kills)).toEqual([]);
  console.info(`${kills} kills in ${Math.round((performance.now() - began) / 1000)} s`);
}, 7_200_000);
