import { expect, test } from "vitest";
import { priced, priceOf } from "../../../src/core/decide/price.ts";

const price = { input: 2, output: 10, cached_input: 0.5 };
const pricing = { "gpt-5": price, default: { input: 1, output: 1 } };

test.each([
  ["gpt-5", pricing, price],
  ["another", pricing, pricing.default],
  [undefined, pricing, pricing.default],
  ["another", { "gpt-5": price }, undefined],
  [undefined, { "gpt-5": price }, undefined],
  ["toString", { "gpt-5": price }, undefined],
])("the price of model %s", (model, given, expected) => {
  expect(priceOf(given, model)).toEqual(expected);
});

const tokens = { input_tokens: 1_000_000, output_tokens: 100_000 };
test.each([
  ["from tokens", tokens, price, 3],
  ["cached tokens have their own price", { ...tokens, cached_input_tokens: 600_000 }, price, 2.1],
  [
    "which is the full one when none is named",
    { ...tokens, cached_input_tokens: 600_000 },
    { input: 2, output: 10 },
    3,
  ],
  ["what the program says stands", { ...tokens, cost_usd: 0.4 }, price, 0.4],
  ["no price", tokens, undefined, undefined],
  ["no tokens", { turns: 2 }, price, undefined],
  ["half of the tokens", { output_tokens: 100 }, price, undefined],
])("cost: %s", (_, usage, given, cost) => {
  const { cost_usd } = priced(usage, given);
  if (cost === undefined) expect(cost_usd).toBeUndefined();
  else expect(cost_usd).toBeCloseTo(cost, 9);
});
