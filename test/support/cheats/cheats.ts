import type { Cheat } from "./cheat.ts";
import { oldTests } from "./old-tests.ts";
import { honest, newTests, product } from "./product.ts";
import { settings } from "./settings.ts";
import { testsFirst } from "./tests-first.ts";

/** Every way of gaming tests and gates that is known here, and honest controls. */
export const cheats: readonly Cheat[] = [
  ...oldTests,
  ...settings,
  ...product,
  ...newTests,
  ...testsFirst,
  ...honest,
];
