import { settleRuns } from "../proof/tree-class.ts";
import type { FactOf } from "../state/event.ts";
import { gateKey, type SessionState, type TaskState } from "../state/session-state.ts";
import type { GateRule } from "./policy.ts";

/** The verdict of a gate level about one tree, as far as results are known. */
export type GatesVerdict =
  | { kind: "passed" }
  | { kind: "run"; gate: string }
  /** Red: the gate must run on the start tree to see whether the failure is new. */
  | { kind: "baseline"; gate: string }
  | { kind: "failed"; gate: string; result: FactOf<"gate_end">; fresh: readonly string[] }
  /** Red before and after, and its failures cannot be told apart, so it cannot be judged (exit 4). */
  | { kind: "unjudgeable"; gate: string; detail: string };

/** Judges the gates in order; the first that needs or decides something gives the verdict (design 4.3). */
export function judgeGates(
  state: SessionState,
  rules: readonly GateRule[],
  { gates, gateRuns = {}, tree }: Pick<TaskState, "gates" | "gateRuns" | "tree">,
): GatesVerdict {
  for (const rule of rules) {
    const key = gateKey(rule.key, tree);
    const result = gates[key];
    if (!result) return { kind: "run", gate: rule.name };
    const runs = gateRuns[key] ?? [result];
    const verdict = judgeRuns(state, rule, runs) ?? judgeResult(state, rule, result);
    if (verdict) return verdict;
  }
  return { kind: "passed" };
}

/** What these runs say about a tree, to be judged; of a gate that ran again the last run counts. */
export function runsOn(
  runs: readonly FactOf<"gate_end">[],
  tree: string,
): Pick<TaskState, "gates" | "gateRuns" | "tree"> {
  const gates: Record<string, FactOf<"gate_end">> = {};
  const gateRuns: Record<string, FactOf<"gate_end">[]> = {};
  for (const run of runs.filter((each) => each.tree === tree)) {
    const key = gateKey(run.key, tree);
    gates[key] = run;
    gateRuns[key] = [...(gateRuns[key] ?? []), run];
  }
  return { gates, gateRuns, tree };
}

/** A red where the start commit is green runs again before it counts, and so does a gate whose runs differ. */
function judgeRuns(
  { baselines }: SessionState,
  { name: gate, key, fatal, rerunsRed = false }: GateRule,
  runs: readonly FactOf<"gate_end">[],
): GatesVerdict | undefined {
  if (!fatal || !rerunsRed || !runs.every(isRepeatable)) return undefined;
  if (settleRuns(runs.map(isGreen)) !== "again") return undefined;
  const before = baselines[key];
  const isNew = before !== undefined && isGreen(before);
  return isNew || runs.length > 1 ? { kind: "run", gate } : undefined;
}

/** A gate that could not start, or changed what it judges, does so again. */
const isRepeatable = ({ status }: { status: string }) =>
  status === "failed" || status === "timed_out" || status === "passed";

function judgeResult(
  state: SessionState,
  rule: GateRule,
  result: FactOf<"gate_end">,
): GatesVerdict | undefined {
  if (!rule.fatal || isGreen(result)) return undefined;
  const before = state.baselines[rule.key];
  const gate = rule.name;
  if (rule.redBefore === "repair") {
    return { kind: "failed", gate, result, fresh: result.fingerprints };
  }
  if (!before) return { kind: "baseline", gate };
  if (isGreen(before)) return { kind: "failed", gate, result, fresh: result.fingerprints };
  const fresh = freshFailures(result, before);
  if (fresh) return fresh.length > 0 ? { kind: "failed", gate, result, fresh } : undefined;
  return rule.redBefore === "allow"
    ? undefined
    : { kind: "unjudgeable", gate, detail: result.detail || result.status };
}

/** Judges a level on the start commit: a gate that is red there without naming a failure, and without a `baseline`, could judge nothing. */
export function judgeGatesAtStart(
  { baselines }: SessionState,
  rules: readonly GateRule[],
): Extract<GatesVerdict, { kind: "passed" | "run" | "unjudgeable" }> {
  for (const { name: gate, key } of rules.filter(endsWhenRed)) {
    const before = baselines[key];
    if (!before) return { kind: "run", gate };
    if (!isGreen(before) && before.fingerprints.length === 0)
      return { kind: "unjudgeable", gate, detail: before.detail ?? before.status };
  }
  return { kind: "passed" };
}

const endsWhenRed = ({ fatal, redBefore }: GateRule) => fatal && redBefore === "end";

const isGreen = ({ status }: { status: string }) => status === "passed" || status === "skipped";

/** The failures that are new; undefined when the outputs name none that could be compared. */
export function freshFailures(
  now: { fingerprints: readonly string[] },
  before: { fingerprints: readonly string[] },
): string[] | undefined {
  if (now.fingerprints.length === 0 || before.fingerprints.length === 0) return undefined;
  const known = new Set(before.fingerprints);
  return now.fingerprints.filter((fingerprint) => !known.has(fingerprint));
}
