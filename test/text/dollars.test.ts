import { expect, test } from "vitest";
import { dollars } from "../../src/text/figures.ts";

test.each([
  [0, "$0.00"],
  [0.00002, "under $0.0001"],
  [0.0001, "$0.0001"],
  [0.05, "$0.05"],
  [0.0999999, "$0.10"],
  [0.418, "$0.42"],
  [12, "$12.00"],
])("%d dollars read %s", (usd, expected) => {
  expect(dollars(usd)).toBe(expected);
});
