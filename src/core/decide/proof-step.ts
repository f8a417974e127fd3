import { judgeProof } from "../proof/judge-proof.ts";
import type { ProofGate, ProofQuestion } from "../proof/question.ts";
import { isProofOn } from "../proof/settings.ts";
import type { Halt } from "../proof/verdict.ts";
import type { ProofFinding } from "../state/proof-event.ts";
import { noProof } from "../state/proof-state.ts";
import { currentUnit, gateKey, type SessionState, type TaskState } from "../state/session-state.ts";
import { isMerged } from "./merge-queue.ts";
import type { GateRule, Policy } from "./policy.ts";
import type { Step } from "./step.ts";

/** The next step of the proof before a pass (design 4b). An independent subtask is proved with its parent. */
export function proofStep(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  const question = questionOf(state, task, policy);
  if (!question) return undefined;
  const verdict = judgeProof(question);
  if (verdict.kind !== "judged") return haltStep(task, verdict);
  return { ...verdict, kind: "judge-proof", task: task.task.id, tree: task.tree };
}

/** The part of it that comes before the review; the rest runs while the reviewer reads. */
export function proofBeforeReview(
  state: SessionState,
  task: TaskState,
  policy: Policy,
): Step | undefined {
  const verdict = verdictForReview(state, task, policy);
  return verdict && verdict.kind !== "judged" ? haltStep(task, verdict) : undefined;
}

function verdictForReview(state: SessionState, task: TaskState, policy: Policy) {
  const question = questionOf(state, task, policy);
  return question && judgeProof(question, "review");
}

/** The findings of that part, for the reviewer. */
export function findingsForReview(
  state: SessionState,
  task: TaskState,
  policy: Policy,
): readonly ProofFinding[] {
  const verdict = verdictForReview(state, task, policy);
  return verdict?.kind === "judged" ? verdict.findings : [];
}

/** Undefined when the task's work needs no proof, or its proof is journaled. */
function questionOf(
  state: SessionState,
  task: TaskState,
  policy: Policy,
): ProofQuestion | undefined {
  const proof = task.proof ?? noProof;
  if (!isProofDue(task, policy) || proof.judged?.tree === task.tree) return undefined;
  const isCurrent = proof.plan?.tree === task.tree;
  return {
    proof: isCurrent ? proof : { ...noProof, asked: proof.asked },
    settings: policy.proof,
    gates: judgingGates(policy).flatMap((rule) => gateOf(state, task, rule)),
    mutation: policy.gates.full.flatMap(
      ({ key }) => task.gates[gateKey(key, task.tree)]?.mutation ?? [],
    ),
    keepsBehaviour: mayKeepBehaviour(state, task),
    words: taskWords(state, task),
    hasTestWriter: task.task.requiresTests !== false,
    isMerged: isMerged(task),
  };
}

/** A refactoring, by a list that a person wrote. */
export const mayKeepBehaviour = ({ session }: SessionState, { task }: TaskState): boolean =>
  task.changesBehaviour === false && !session.list_author;

/** The task as a person wrote it. */
export function taskWords({ session }: SessionState, { task }: TaskState): string {
  if (session.list_author) return "";
  return [task.title, task.description, ...task.acceptanceCriteria].join("\n");
}

/** The next step of the proof. */
export function haltStep({ task: { id }, tree }: TaskState, halt: Halt): Step {
  switch (halt.kind) {
    case "plan":
      return { kind: "plan-proof", task: id, tree };
    case "baseline":
      return { kind: "run-baseline", gate: halt.gate, level: "full" };
    case "run":
      return { ...halt, kind: "run-proof", task: id };
    case "refused": {
      const { check: fingerprint, feedback } = halt;
      return { kind: "retry", task: id, failure: { because: "proof", feedback, fingerprint } };
    }
    case "asked":
      return { ...halt, kind: "ask-tests", task: id, tree };
  }
}

/** The gates that decide about a task by the tests they run. */
export const judgingGates = ({ gates }: Pick<Policy, "gates">): GateRule[] =>
  gates.full.filter(({ fatal, isMutation }) => fatal && !isMutation);

/** The task has changed files, and the configuration has checks for them. */
export function isProofDue(task: TaskState, { proof }: Policy): boolean {
  return isProofOn(proof) && !currentUnit(task) && task.base !== task.tree;
}

/** A gate with what it said on the task's tree, and before the task: in the last task that passed, else at the start. */
function gateOf(state: SessionState, task: TaskState, { name, key }: GateRule): ProofGate[] {
  const after = task.gates[gateKey(key, task.tree)];
  if (!after) return [];
  const isFlaky = (task.gateRuns?.[gateKey(key, task.tree)]?.length ?? 0) > 1;
  return [{ gate: name, key, after, isFlaky, ...gateBefore(state, key) }];
}

/** Nothing while the gate has not run without the task's work. */
export function gateBefore(state: SessionState, key: string): Pick<ProofGate, "before"> {
  const before = lastPassed(state, key) ?? state.baselines[key];
  return before ? { before } : {};
}

function lastPassed({ tasks }: SessionState, key: string) {
  const passed = tasks
    .filter(({ state, passedBefore }) => state === "passed" && !passedBefore)
    .toSorted((a, b) => ((a.endedAt ?? "") < (b.endedAt ?? "") ? 1 : -1));
  return passed.flatMap(({ gates }) => Object.values(gates).filter((gate) => gate.key === key))[0];
}
