import { expect } from "vitest";
import { thorough, times } from "../../setup/sampled.ts";
import { createParallelTemplate, killAtRandom } from "../../support/crash/parallel-kills.ts";

// `npm run torture` kills five hundred times.
thorough("tasks side by side, killed at random: none is lost, none is done twice", async () => {
  await using template = await createParallelTemplate();
  expect((await killAtRandom(template, times(1, 6))).faults).toEqual([]);
});
