import type { Usage } from "./event.ts";

/** Sums two usages; a figure neither knows stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { ...a };
  for (const key of ["cost_usd", "turns", "input_tokens", "output_tokens"] as const) {
    const more = b[key];
    if (more !== undefined) sum[key] = (sum[key] ?? 0) + more;
  }
  return sum;
}
