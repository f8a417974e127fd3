import { judgeProof } from "../../../src/core/proof/judge-proof.ts";
import type { ProofGate, ProofQuestion } from "../../../src/core/proof/question.ts";
import type { FactOf } from "../../../src/core/state/event.ts";
import type { Census } from "../../../src/core/state/measurement.ts";
import { noProof, type ProofState, proofKey } from "../../../src/core/state/proof-state.ts";

type Planned = FactOf<"proof_planned">;
type Result = "green" | "red" | "load" | "timeout";

export const census = (passed: number, more: Partial<Census> = {}): Census => ({
  form: "tap",
  unit: "tests",
  passed,
  failed: 0,
  skipped: 0,
  ...more,
});

export const gate = (more: Partial<ProofGate> = {}): ProofGate => ({
  gate: "test",
  key: "k",
  before: { status: "passed", tests: census(3) },
  after: { status: "passed", tests: census(4) },
  ...more,
});

export const plan = (more: Partial<Planned> = {}): Planned => ({
  type: "proof_planned",
  task: "T-001",
  tree: "head",
  base: "base",
  base_commit: "commit",
  old_tests: [],
  controls: [],
  tests: ["test/new.test.js"],
  product: ["src/a.js"],
  flagged: [],
  trees: { first: "first" },
  hunks: [{ path: "src/a.js", line: 3, tree: "hunk" }],
  left_out: [],
  ...more,
});

export const weakened = plan({
  old_tests: ["test/old.test.js"],
  trees: { originals: "old", tests: "old", first: "first", first_old: "firstOld" },
});
export const twoHunks = plan({
  hunks: [
    { path: "src/a.js", line: 3, tree: "hunk" },
    { path: "src/b.js", line: 1, tree: "hunk2" },
  ],
});
export const mutated = plan({
  mutants: [
    { path: "src/a.js", line: 3, of: "work", tree: "mutant" },
    { path: "src/a.js", line: 3, of: "base", tree: "mutantBefore" },
  ],
});
export const twoMutants = plan({
  mutants: [
    { path: "src/a.js", line: 3, of: "work", tree: "mutant" },
    { path: "src/a.js", line: 4, of: "work", tree: "mutant2" },
  ],
});
export const noticed: Record<string, Result[]> = { first: ["red"], hunk: ["red"] };
export const untested = plan({ tests: [], trees: {} });

type Levels = ProofQuestion["settings"]["levels"];
const usual: Levels = {
  census: "require",
  originals: "require",
  controls: "require",
  red_first: "ask",
  witness: "require",
};
export const settings = (more: Partial<Levels> = {}) => ({
  levels: { ...usual, ...more },
  witnessHunks: 8,
});

/** Results by tree, in the order in which they came. */
export function proof(planned: Planned, runs: Record<string, Result[]> = {}): ProofState {
  const results = Object.entries(runs).map(([tree, all]) => [
    proofKey("k", tree),
    all.map((result) => runResult(tree, result)),
  ]);
  return { ...noProof, plan: planned, results: Object.fromEntries(results) };
}

const statuses = { green: "passed", red: "failed", load: "failed", timeout: "timed_out" } as const;

const runResult = (tree: string, result: Result): FactOf<"proof_gate_end"> => ({
  type: "proof_gate_end",
  task: "T-001",
  part: tree.startsWith("hunk") ? "hunk" : "first",
  gate: "test",
  key: "k",
  tree,
  status: statuses[result],
  detail: result === "timeout" ? "ended after 5 s" : "",
  fingerprints: result === "red" ? ["up is loud"] : [],
  ...(result === "red" && { tests: census(3, { failed: 1 }) }),
  is_load_error: result === "load",
  ms: 10,
});

export const judge = (more: Partial<ProofQuestion>) =>
  judgeProof({
    proof: noProof,
    settings: settings(),
    gates: [gate()],
    keepsBehaviour: false,
    words: "",
    hasTestWriter: true,
    isMerged: false,
    ...more,
  });

export const asked = (check: keyof Levels) => ({ kind: "asked", check });
export const refused = (check: keyof Levels) => ({ kind: "refused", check });
export const judged = (...findings: object[]) => ({ kind: "judged", findings });
export const after = (tests: Census | undefined, status = "passed") => ({
  gates: [gate({ after: { status, tests } })],
});
