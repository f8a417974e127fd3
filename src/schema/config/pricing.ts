import * as z from "zod";
import { ModelName } from "../base/fields.ts";

const perMillion = z.number().min(0).max(100_000);

/** The price of a model, in US dollars per million tokens. */
export const Price = z.strictObject({
  input: perMillion.describe("Input tokens"),
  output: perMillion.describe("Output tokens"),
  cached_input: perMillion
    .optional()
    .describe("Input tokens from a cache. Default: the same as input"),
});
export type Price = z.output<typeof Price>;

/** Prices by model name, for agent programs that report tokens but no cost. */
export const Pricing = z.record(
  ModelName,
  Price.describe("Price of one model, in US dollars per million tokens"),
);
export type Pricing = z.output<typeof Pricing>;
