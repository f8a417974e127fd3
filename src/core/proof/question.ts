import type { Census, MutationScore } from "../state/measurement.ts";
import type { ProofFinding, ProofPart } from "../state/proof-event.ts";
import type { ProofState } from "../state/proof-state.ts";
import type { ProofSettings } from "./settings.ts";
import { classOf, type GateOnHead, type TreeClass } from "./tree-class.ts";
import { type Answer, type Halt, type Problem, respond } from "./verdict.ts";

/** All that the judgement of one task's work depends on. */
export interface ProofQuestion {
  proof: ProofState;
  settings: ProofSettings;
  gates: readonly ProofGate[];
  /** The results of the project's own mutation testing tools on the task's tree. */
  mutation?: readonly MutationScore[];
  /** The list of a person says `changesBehaviour: false`. */
  keepsBehaviour: boolean;
  /** The task in a person's words; empty in a list that a model wrote. */
  words: string;
  /** A test writer works on this task. */
  hasTestWriter: boolean;
  /** Work of others was merged in after the review: only old tests and counts are asked again. */
  isMerged: boolean;
}

/** A fatal gate with its results before the task and with its work. */
export interface ProofGate {
  gate: string;
  key: string;
  /** Undefined while it has not run without the task's work. */
  before?: { status: string; tests?: Census | undefined } | undefined;
  after: {
    status: string;
    tests?: Census | undefined;
    ms?: number;
    planted?: readonly string[] | undefined;
  };
  /** Its runs on the task's tree differed. */
  isFlaky?: boolean;
}

/** Applies the configured level to the problems of one check: the first that halts, else all findings. */
export function answerTo(
  { settings, proof, hasTestWriter }: ProofQuestion,
  problems: readonly Problem[],
): Answer {
  const findings: ProofFinding[] = [];
  for (const problem of problems) {
    const { check } = problem;
    const mayAsk = hasTestWriter && !proof.asked.includes(check);
    const result = respond(problem, { level: settings.levels[check], mayAsk });
    if ("halt" in result) return result;
    findings.push(...result.findings);
  }
  return { findings };
}

/** Gates that count tests on the task's own tree; others, such as linters, would be red on any odd tree. */
export function countingGates({ gates }: Pick<ProofQuestion, "gates">): GateOnHead[] {
  return gates.flatMap(({ gate, key, before, after: { tests } }) =>
    tests && executed(tests) > 0 && before?.status === "passed"
      ? [{ name: gate, key, head: tests }]
      : [],
  );
}

/** The verdict of the gates on the tree of one part; undefined where the plan has no such tree. */
export function classOfPart(
  question: ProofQuestion,
  part: Exclude<ProofPart, "hunk" | "mutant">,
): TreeClass | undefined {
  const tree = question.proof.plan?.trees[part];
  // Old files are expected to hold; new tests are expected to fail without the work.
  const isSurprise = !part.startsWith("first");
  return tree === undefined
    ? undefined
    : classOf(question.proof, countingGates(question), { tree, isSurprise });
}

/** The run a part waits for, if it does. */
export function runOf(
  { proof }: ProofQuestion,
  part: Exclude<ProofPart, "hunk" | "mutant">,
  seen: TreeClass | undefined,
): { halt: Halt } | undefined {
  const tree = proof.plan?.trees[part];
  if (seen?.kind !== "pending" || tree === undefined) return undefined;
  return { halt: { kind: "run", gate: seen.gate, part, tree } };
}

const leastWitnessMs = 120_000;

/** Whether the time for changes that are taken back or made wrong is spent; those not tried yet stay so. */
export function isWitnessTimeSpent({ proof, settings, gates }: ProofQuestion): boolean {
  const runs = Object.values(proof.results).flat();
  const spent = runs
    .filter(({ part }) => part === "hunk" || part === "mutant")
    .reduce((sum, { ms }) => sum + ms, 0);
  const own = gates.reduce((sum, { after }) => sum + (after.ms ?? 0), 0);
  return spent >= (settings.witnessMs ?? Math.max(leastWitnessMs, 3 * own));
}

/** Tests that ran, whatever they said; 0 where nothing was counted. */
export const executed = (tests: Census | undefined): number =>
  tests ? tests.passed + tests.failed : 0;
