import type { FactOf } from "./event.ts";
import type { ProofCheck } from "./proof-event.ts";

/** The proof of one task's work so far. A new tree discards plan, judgement, and all results but those of new tests on the base. */
export interface ProofState {
  plan?: FactOf<"proof_planned">;
  /** Results of each gate on each tree, oldest first: a surprising red runs again. */
  results: Readonly<Record<string, readonly FactOf<"proof_gate_end">[]>>;
  judged?: FactOf<"proof_judged">;
  /** The checks that have asked the test writer about this task: each asks once. */
  asked: readonly ProofCheck[];
  /** The question that is open: until the test writer has answered. */
  question?: string;
  /** Questions it has answered: the reviewer reads them. */
  answered?: readonly string[];
}

export const noProof: ProofState = { results: {}, asked: [] };

type ProofFact = FactOf<"proof_planned" | "proof_gate_end" | "proof_asked" | "proof_judged">;

/** Names a gate's results on a tree. */
export const proofKey = (key: string, tree: string) => `${key}:${tree}`;

/** New tests on the base: with tests first they ran before there was a plan. */
const firstRuns = ({ results }: ProofState): ProofState["results"] =>
  Object.fromEntries(
    Object.entries(results).filter(([, runs]) => runs.some(({ part }) => part === "first")),
  );

function answered({ question, answered = [] }: ProofState): Pick<ProofState, "answered"> {
  const all = question === undefined ? answered : [...answered, question];
  return all.length > 0 ? { answered: all } : {};
}

/** Applies one fact of the proof. */
export function applyProof(proof: ProofState, event: ProofFact): ProofState {
  switch (event.type) {
    case "proof_planned":
      return { asked: proof.asked, results: firstRuns(proof), plan: event, ...answered(proof) };
    case "proof_gate_end": {
      const key = proofKey(event.key, event.tree);
      const before = proof.results[key] ?? [];
      return { ...proof, results: { ...proof.results, [key]: [...before, event] } };
    }
    case "proof_asked":
      return {
        asked: [...proof.asked, event.check],
        results: firstRuns(proof),
        question: event.feedback,
        ...answered(proof),
      };
    case "proof_judged":
      return { ...proof, judged: event };
  }
}
