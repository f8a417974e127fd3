import type { FactOf } from "../state/event.ts";
import type { Census } from "../state/measurement.ts";
import { type ProofState, proofKey } from "../state/proof-state.ts";

/** A gate of the proof, with what it said on the task's own tree. */
export interface GateOnHead {
  name: string;
  key: string;
  /** Tests it ran on the task's tree, if it counts them. */
  head?: Census | undefined;
}

/** The verdict of the gates on one proof tree. */
export type TreeClass =
  /** `gate` has to run on it, again where it was red by surprise. */
  | { kind: "pending"; gate: string }
  | { kind: "green" }
  | { kind: "red" | "load-error"; gate: string; failures: readonly string[] }
  /** Runs of one tree differ, and most were green in the end. */
  | { kind: "flaky"; gate: string }
  /** A time-out, or a gate that did not start: it proves nothing. */
  | { kind: "unknown"; gate: string; because: string };

/** The class of a proof tree. `isSurprise`: a red was not expected, so it runs again; where runs differ, most of them decide. */
export function classOf(
  { results }: ProofState,
  gates: readonly GateOnHead[],
  { tree, isSurprise }: { tree: string; isSurprise: boolean },
): TreeClass {
  let flaky: TreeClass | undefined;
  for (const gate of gates) {
    const runs = results[proofKey(gate.key, tree)] ?? [];
    const found = classOfRuns(gate, runs, isSurprise);
    if (found.kind === "flaky") flaky = found;
    else if (found.kind !== "green") return found;
  }
  return flaky ?? { kind: "green" };
}

type Run = FactOf<"proof_gate_end">;

function classOfRuns(gate: GateOnHead, runs: readonly Run[], isSurprise: boolean): TreeClass {
  const [first] = runs;
  const { name } = gate;
  if (!first) return { kind: "pending", gate: name };
  const isGreen = greenFor(gate);
  if (!isSurprise && !isGreen(first) && isJudgeable(first)) return redOf(gate, first);
  switch (settleRuns(runs.map(isGreen))) {
    case "green":
      return { kind: "green" };
    case "again":
      return { kind: "pending", gate: name };
    case "flaky":
      return { kind: "flaky", gate: name };
    case "red":
      return redOf(gate, runs.findLast((run) => !isGreen(run)) ?? first);
  }
}

function redOf(gate: GateOnHead, run: Run): TreeClass {
  const { name } = gate;
  if (!isJudgeable(run)) return { kind: "unknown", gate: name, because: run.detail || run.status };
  const kind = isLoadError(gate.head, run) ? "load-error" : "red";
  return { kind, gate: name, failures: run.fingerprints };
}

/** A gate that ends well although more tests fail than on the task's own tree is red all the same. */
const greenFor =
  ({ head }: GateOnHead) =>
  ({ status, tests }: Run) =>
    status === "passed" && (tests?.failed ?? 0) <= (head?.failed ?? 0);

/** A run that says something about the tree; a time-out or a gate that did not start does not. */
export const isJudgeable = ({ status }: Run) => status === "failed" || status === "passed";

/** Files that cannot be loaded take their tests with them: fewer than nine tenths of the head's ran, or none was counted. */
function isLoadError(head: Census | undefined, { is_load_error: says, tests }: Run): boolean {
  if (!says) return false;
  if (!head || !tests || tests.unit !== head.unit) return true;
  return tests.passed + tests.failed < 0.9 * (head.passed + head.failed);
}

/** The joint result of several runs of one gate on one tree, as far as they ran. */
type Settled = "green" | "red" | "again" | "flaky";

/** More runs than this say nothing new. */
const maxRuns = 4;

/**
 * Whether a red counts: it runs once more, and two reds in a row are red. Where runs differ, the gate is `flaky`, and green
 * only if it is so in two of the last three runs; a gate that fails every second time needs a fourth.
 */
export function settleRuns(runs: readonly boolean[]): Settled {
  const [first] = runs;
  const last = runs.slice(-2);
  if (first !== false) return "green";
  if (last.length === 2 && !last.includes(true)) return "red";
  if (runs.length < 3) return "again";
  const green = runs.slice(-3).filter(Boolean).length;
  if (green >= 2) return "flaky";
  return runs.length < maxRuns ? "again" : "red";
}
