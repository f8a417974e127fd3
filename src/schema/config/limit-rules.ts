import { errorAt, type Finding, warningAt } from "../base/finding.ts";
import type { ConfigRule, ConfigSketch } from "./config-sketch.ts";

/** Rules about limits and pauses. */
export const limitRules: ConfigRule[] = [crossedPauses, crossedBudgets, crossedTimes];

function crossedPauses({ breaker }: ConfigSketch): Finding[] {
  if (!breaker || breaker.backoff <= breaker.backoff_max) return [];
  return [errorAt(["breaker", "backoff"], "is longer than breaker.backoff_max")];
}

/** The smaller budget ends the run first, so a larger one has no effect. */
function crossedBudgets({ limits }: ConfigSketch): Finding[] {
  if (!limits) return [];
  const pairs = [
    ["budget_usd_per_task", "budget_usd"],
    ["budget_usd", "budget_usd_per_day"],
  ] as const;
  return pairs
    .filter(([part, whole]) => (limits[part] ?? 0) > (limits[whole] ?? Number.POSITIVE_INFINITY))
    .map(([part, whole]) =>
      warningAt(["limits", part], `is more than limits.${whole}, so it is never reached`),
    );
}

function crossedTimes({ limits }: ConfigSketch): Finding[] {
  const { claude_timeout: call = 0, max_runtime: all } = limits ?? {};
  if (typeof all !== "number" || call <= all) return [];
  const message = `is shorter than limits.claude_timeout (${call} s), the time of one agent call`;
  return [warningAt(["limits", "max_runtime"], message)];
}
