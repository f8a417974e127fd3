import { mayKeepBehaviour, taskWords } from "../../core/decide/proof-step.ts";
import { judgeProof } from "../../core/proof/judge-proof.ts";
import type { ProofGate } from "../../core/proof/question.ts";
import type { Halt, ProofVerdict } from "../../core/proof/verdict.ts";
import type { FactOf } from "../../core/state/event.ts";
import { proofChecks } from "../../core/state/proof-event.ts";
import { applyProof, noProof, type ProofState } from "../../core/state/proof-state.ts";
import { newTaskState, type TaskState } from "../../core/state/session-state.ts";
import type { SessionContext } from "../loop/session-context.ts";
import { computePlan } from "./plan-proof.ts";
import { measureProof } from "./run-proof.ts";

/** A change that is proved from git alone, and the results of the fatal gates before and after it. */
export interface ProvableChange {
  task: TaskState;
  base_commit: string;
  /** The proofs of what came before it in this session. */
  earlier: readonly ProofState[];
  gates: readonly ProofGate[];
}

export type ProvedChange = {
  proof: ProofState;
  verdict: Exclude<ProofVerdict, { kind: "plan" | "run" | "baseline" }>;
};

/** Proves a change. What the loop would ask a test writer about is a finding here. Undefined when the user cancelled. */
export async function proveChange(
  session: SessionContext,
  change: ProvableChange,
): Promise<ProvedChange | undefined> {
  const { policy, journal } = session;
  const { task, gates } = change;
  const question = {
    settings: policy.proof,
    gates,
    keepsBehaviour: mayKeepBehaviour(journal.state, task),
    words: taskWords(journal.state, task),
    hasTestWriter: task.task.requiresTests !== false,
    isMerged: false,
  };
  // Nobody can be asked here.
  let proof: ProofState = { ...noProof, asked: [...proofChecks] };
  while (true) {
    const verdict = judgeProof({ ...question, proof });
    if (!isOpen(verdict)) return { proof: settled(proof, { task, verdict }), verdict };
    const fact = await answer(session, change, verdict);
    if (!fact) return undefined;
    proof = applyProof(proof, fact);
  }
}

/** The change of a repair, which belongs to no task. No test comes with it: the verification that was red shows it is needed. */
export function repairChange(
  session: SessionContext,
  trees: { base: string; tree: string },
): { session: SessionContext; task: TaskState } {
  const { policy } = session;
  const levels = { ...policy.proof.levels, red_first: "off", witness: "off" } as const;
  const proof = { ...policy.proof, levels, witnessHunks: 0 };
  const about = { id: "", title: "", description: "", acceptanceCriteria: [] };
  const task = newTaskState({ ...about, priority: 1, passes: false, requiresTests: false });
  return {
    session: { ...session, policy: { ...policy, proof } },
    task: { ...task, ...trees },
  };
}

const isOpen = (
  verdict: ProofVerdict,
): verdict is Extract<Halt, { kind: "plan" | "run" | "baseline" }> =>
  verdict.kind === "plan" || verdict.kind === "run" || verdict.kind === "baseline";

function answer(
  session: SessionContext,
  { task, base_commit, earlier }: ProvableChange,
  verdict: Extract<Halt, { kind: "plan" | "run" | "baseline" }>,
): Promise<FactOf<"proof_planned" | "proof_gate_end"> | undefined> {
  if (verdict.kind === "plan") return computePlan(session, { task, base_commit, earlier });
  if (verdict.kind === "run") return measureProof(session, { ...verdict, task: task.task.id });
  throw new Error(`Gate ${verdict.gate} ran on the base of ${task.task.id}.`);
}

/** As the journal would hold it: what follows asks whether old tests held. */
function settled(
  proof: ProofState,
  { task, verdict }: { task: TaskState; verdict: ProofVerdict },
): ProofState {
  if (verdict.kind !== "judged") return proof;
  const { findings, figures } = verdict;
  const about = { task: task.task.id, tree: task.tree };
  return applyProof(proof, { type: "proof_judged", ...about, findings, figures });
}
