import type { Price, Pricing } from "../../schema/config/pricing.ts";
import type { Usage } from "../state/measurement.ts";

/** The price of a model, else the default one, else none. */
export function priceOf(pricing: Pricing, model: string | undefined): Price | undefined {
  const named = model !== undefined && Object.hasOwn(pricing, model) ? pricing[model] : undefined;
  return named ?? pricing.default;
}

const million = 1_000_000;

/** A usage with its cost: as reported, else computed from both token counts and the price, else unknown. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  const { cost_usd, input_tokens: input, output_tokens: output } = usage;
  if (cost_usd !== undefined || !price || input === undefined || output === undefined) return usage;
  const cached = Math.min(input, usage.cached_input_tokens ?? 0);
  const sum =
    (input - cached) * price.input +
    cached * (price.cached_input ?? price.input) +
    output * price.output;
  return { ...usage, cost_usd: sum / million };
}
