import { freshFailures } from "../../core/decide/gates.ts";
import type { CriterionResult, FactOf } from "../../core/state/event.ts";
import type { SessionState, TaskState } from "../../core/state/session-state.ts";
import { plainLine } from "../../text/plain-text.ts";
import { gateResults } from "./proof.ts";

/** The result of an acceptance criterion; `verdict` is null until it is checked. */
export interface CriterionSummary {
  number: number;
  text: string;
  kind: CriterionResult["kind"] | null;
  verdict: CriterionResult["verdict"] | null;
  detail: string;
  /** Name of the evidence file: its sha256. */
  evidence: string | null;
}

/** The result of a gate on a task's newest tree and on the start commit. */
export interface GateSummary {
  gate: string;
  level: FactOf<"gate_end">["level"];
  status: FactOf<"gate_end">["status"];
  /** False for a gate that only warns. */
  is_fatal: boolean;
  duration_ms: number;
  detail: string;
  /** Null when the gate was never needed on the start commit. */
  baseline: FactOf<"baseline_end">["status"] | null;
  /** Failures that the start commit does not have; null when failures cannot be compared. */
  new_failures: number | null;
}

/** Every criterion of a task, in the order of its list. */
export function summarizeCriteria({ task, criteria }: TaskState): CriterionSummary[] {
  if (!criteria) return task.acceptanceCriteria.map(unchecked);
  return criteria.results.map(({ number, text, kind, verdict, detail, evidence }) => ({
    number,
    text: plainLine(text, 500),
    kind,
    verdict,
    detail: plainLine(detail),
    evidence: evidence?.sha256 ?? null,
  }));
}

const unchecked = (text: string, index: number): CriterionSummary => ({
  number: index + 1,
  text: plainLine(text, 500),
  kind: null,
  verdict: null,
  detail: "",
  evidence: null,
});

/** The gates of a task's newest tree, each name once, against the baseline. */
export function summarizeGates(task: TaskState, { baselines }: Pick<SessionState, "baselines">) {
  return gateResults(task).map((result): GateSummary => {
    const before = baselines[result.key];
    return {
      gate: plainLine(result.gate),
      level: result.level,
      status: result.status,
      is_fatal: result.fatal !== false,
      duration_ms: Math.round(result.ms),
      detail: plainLine(result.detail),
      baseline: before?.status ?? null,
      new_failures: newFailures(result, before),
    };
  });
}

export const isGreen = ({ status }: { status: string }) =>
  status === "passed" || status === "skipped";

function newFailures(
  result: FactOf<"gate_end">,
  before: FactOf<"baseline_end"> | undefined,
): number | null {
  if (isGreen(result)) return 0;
  if (!before) return null;
  if (isGreen(before)) return result.fingerprints.length || null;
  return freshFailures(result, before)?.length ?? null;
}
