import { inCargo } from "./cargo.ts";
import type { Cheat } from "./cheat.ts";
import { inGo } from "./go.ts";
import { inJest } from "./jest.ts";
import { inMocha } from "./mocha.ts";
import { inNodeTest } from "./node-test.ts";
import { oldTests } from "./old-tests.ts";
import { honest, newTests, product } from "./product.ts";
import { inPytest } from "./pytest.ts";
import { settings } from "./settings.ts";
import { testsFirst } from "./tests-first.ts";
import { inVitest } from "./vitest.ts";

/** Every way of gaming tests and gates that is known here, and honest controls. */
export const cheats: readonly Cheat[] = [
  ...oldTests,
  ...settings,
  ...product,
  ...newTests,
  ...testsFirst,
  ...inNodeTest,
  ...inVitest,
  ...inMocha,
  ...inJest,
  ...inPytest,
  ...inCargo,
  ...inGo,
  ...honest,
];
