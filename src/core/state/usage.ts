import type { FactOf } from "./event.ts";
import type { Usage } from "./measurement.ts";
import type { Role } from "./roles.ts";

/** Sums two usages; a figure that both lack stays unknown. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = { ...a };
  for (const key of figures) {
    const more = b[key];
    if (more !== undefined) sum[key] = exact((sum[key] ?? 0) + more);
  }
  return sum;
}

/** Rounds sums such as 0.1 + 0.2, so that no binary fraction remains. */
const exact = (sum: number) => (Number.isInteger(sum) ? sum : Math.round(sum * 1e9) / 1e9);

const figures = [
  "cost_usd",
  "turns",
  "input_tokens",
  "cached_input_tokens",
  "output_tokens",
] as const;

/** The usage of each role's calls, and how many have ended. */
export type UsageByRole = Readonly<Partial<Record<Role, RoleUsage>>>;
export type RoleUsage = Usage & { calls: number };

export function addToRole(
  before: UsageByRole,
  { role, usage }: Pick<FactOf<"agent_end" | "fix_call_end">, "role" | "usage">,
): UsageByRole {
  const { calls = 0, ...known } = before[role] ?? {};
  return { ...before, [role]: { calls: calls + 1, ...addUsage(known, usage) } };
}

/** A call belongs to the day (UTC) on which it ended. */
export function addToDay(
  before: Readonly<Record<string, number>>,
  { ts, usage }: { ts: string; usage: Usage },
): Readonly<Record<string, number>> {
  if (!usage.cost_usd) return before;
  const day = dayOf(ts);
  return { ...before, [day]: exact((before[day] ?? 0) + usage.cost_usd) };
}

/** `2026-01-25`; journal times are UTC, so this is the UTC day. */
export const dayOf = (ts: string) => ts.slice(0, 10);
