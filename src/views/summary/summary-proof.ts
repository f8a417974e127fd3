import { freshFailures } from "../../core/decide/gates.ts";
import type { CriterionResult, FactOf } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { gateResults } from "./proof.ts";

/** The result of an acceptance criterion; `verdict` is null until it is checked. */
export type CriterionSummary = ReturnType<typeof summarizeCriteria>[number];
/** The result of a gate on a task's newest tree and on the start commit. */
export type GateSummary = ReturnType<typeof summarizeGates>[number];

/** Every criterion of a task, in the order of its list. */
export function summarizeCriteria({ task, criteria }: TaskState) {
  const results: readonly (Pick<CriterionResult, "number" | "text"> & Partial<CriterionResult>)[] =
    criteria?.results ?? task.acceptanceCriteria.map((text, at) => ({ number: at + 1, text }));
  return results.map(({ number, text, kind, verdict, detail, evidence }) => ({
    number,
    text: plainLine(text, 500),
    kind: kind ?? null,
    verdict: verdict ?? null,
    detail: plainLine(detail ?? ""),
    /** Name of the evidence file: its sha256. */
    evidence: evidence?.sha256 ?? null,
  }));
}

/** The gates of a task's newest tree, each name once, against the baseline. */
export function summarizeGates(task: TaskState, { baselines }: Pick<SessionState, "baselines">) {
  return gateResults(task).map((result) => {
    const before = baselines[result.key];
    return {
      gate: plainLine(result.gate),
      level: result.level,
      status: result.status,
      /** False for a gate that only warns. */
      is_fatal: result.fatal !== false,
      duration_ms: Math.round(result.ms),
      detail: plainLine(result.detail),
      /** Null when the gate was never needed on the start commit. */
      baseline: before?.status ?? null,
      /** Failures that the start commit does not have; null when failures cannot be compared. */
      new_failures: newFailures(result, before),
    };
  });
}

export const isGreen = ({ status }: { status: string }) =>
  status === "passed" || status === "skipped";

function newFailures(result: FactOf<"gate_end">, before: FactOf<"baseline_end"> | undefined) {
  if (isGreen(result)) return 0;
  if (!before) return null;
  if (isGreen(before)) return result.fingerprints.length || null;
  return freshFailures(result, before)?.length ?? null;
}
