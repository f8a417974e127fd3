import * as z from "zod";
import { ModelName } from "../base/fields.ts";

const perMillion = z.number().min(0).max(100_000);

/** What a model costs, in US dollars per million tokens. */
export const Price = z.strictObject({
  input: perMillion.describe("What the model reads"),
  output: perMillion.describe("What it writes"),
  cached_input: perMillion
    .optional()
    .describe("What it reads from a cache. Default: the same as input"),
});
export type Price = z.output<typeof Price>;

/** Prices by model name. Used where an agent program tells tokens but no cost. */
export const Pricing = z.record(
  ModelName,
  Price.describe("Price of one model, in US dollars per million tokens"),
);
export type Pricing = z.output<typeof Pricing>;
