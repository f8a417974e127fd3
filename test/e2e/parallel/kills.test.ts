import { expect, test } from "vitest";
import { times } from "../../setup/sampled.ts";
import { createParallelTemplate, killAtRandom } from "../../support/crash/parallel-kills.ts";

// `npm run torture` kills five hundred times.
test("tasks side by side, killed at random: none is lost, none is done twice", async () => {
  await using template = await createParallelTemplate();
  expect((await killAtRandom(template, times(2, 6))).faults).toEqual([]);
});
