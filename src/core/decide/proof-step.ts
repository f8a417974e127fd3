import { judgeProof } from "../proof/judge-proof.ts";
import type { ProofGate } from "../proof/question.ts";
import { isProofOn } from "../proof/settings.ts";
import { noProof } from "../state/proof-state.ts";
import { currentUnit, gateKey, type SessionState, type TaskState } from "../state/session-state.ts";
import { isMerged } from "./merge-queue.ts";
import type { GateRule, Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/**
 * What the proof of the work needs before the task may pass: plan, runs, a question to the test writer, a new iteration,
 * or the record of what it says (design 4b). An independent subtask is proved with its parent.
 */
export function proofStep(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  if (!isProofDue(task, policy)) return undefined;
  const proof = task.proof ?? noProof;
  if (proof.judged?.tree === task.tree) return undefined;
  const isCurrent = proof.plan?.tree === task.tree;
  const { id } = task.task;
  const verdict = judgeProof({
    proof: isCurrent ? proof : { ...noProof, asked: proof.asked },
    settings: policy.proof,
    gates: policy.gates.full
      .filter(({ fatal }) => fatal)
      .flatMap((rule) => gateOf(state, task, rule)),
    keepsBehaviour: task.task.changesBehaviour === false && !state.session.list_author,
    hasTestWriter: task.task.requiresTests !== false,
    isMerged: isMerged(task),
  });
  switch (verdict.kind) {
    case "plan":
      return { kind: "plan-proof", task: id, tree: task.tree };
    case "baseline":
      return { kind: "run-baseline", gate: verdict.gate, level: "full" };
    case "run":
      return { ...verdict, kind: "run-proof", task: id };
    case "refused": {
      const { check, feedback } = verdict;
      return {
        kind: "retry",
        task: id,
        failure: { because: "proof", feedback, fingerprint: check },
      };
    }
    case "asked":
      return { ...verdict, kind: "ask-tests", task: id, tree: task.tree };
    case "judged":
      return { ...verdict, kind: "judge-proof", task: id, tree: task.tree };
  }
}

/** Something was changed, and something is asked of it. */
export function isProofDue(task: TaskState, { proof }: Policy): boolean {
  return isProofOn(proof) && !currentUnit(task) && task.base !== task.tree;
}

/** A gate with what it said on the task's tree, and before the task: in the last task that passed, else at the start. */
function gateOf(state: SessionState, task: TaskState, { name, key }: GateRule): ProofGate[] {
  const after = task.gates[gateKey(key, task.tree)];
  if (!after) return [];
  const before = lastPassed(state, key) ?? state.baselines[key];
  const isFlaky = (task.gateRuns?.[gateKey(key, task.tree)]?.length ?? 0) > 1;
  return [{ gate: name, key, after, isFlaky, ...(before && { before }) }];
}

function lastPassed({ tasks }: SessionState, key: string) {
  const passed = tasks
    .filter(({ state, passedBefore }) => state === "passed" && !passedBefore)
    .toSorted((a, b) => ((a.endedAt ?? "") < (b.endedAt ?? "") ? 1 : -1));
  return passed.flatMap(({ gates }) => Object.values(gates).filter((gate) => gate.key === key))[0];
}
