import type { FactOf } from "../state/event.ts";
import { type ProofState, proofKey } from "../state/proof-state.ts";
import { executed } from "./gate-comparison.ts";
import type { ProofGate } from "./question.ts";
import type { ProofLevel } from "./settings.ts";
import { type Halt, type Problem, respond } from "./verdict.ts";

/** A task's tests on its base, before there is any work. */
export interface TestsFirstQuestion {
  proof: ProofState;
  level: ProofLevel;
  gates: readonly Pick<ProofGate, "gate" | "key" | "before">[];
  base: string;
  /** The base with the tests. */
  tree: string;
}

/**
 * Whether tests that were written first fail on the code as it is: what has to happen before the implementation starts,
 * or undefined. A test writer is asked once for one that does; then green tests are refused.
 */
export function judgeTestsFirst(question: TestsFirstQuestion): Halt | undefined {
  const { proof, level, base, tree } = question;
  if (level === "off" || level === "report") return undefined;
  const seen = base === tree ? "none" : runTests(question);
  if (typeof seen === "object") return seen;
  if (seen === "red" || seen === "unknown") return undefined;
  const problem = { ...(seen === "none" ? noTest : greenTest), ...firm };
  const mayAsk = !proof.asked.includes("red_first");
  const result = respond(problem, { level: "ask", mayAsk });
  if ("findings" in result) return undefined;
  return result.halt.kind === "asked" && level === "require"
    ? { ...result.halt, kind: "refused" }
    : result.halt;
}

const firm = { check: "red_first", atWorst: "refuse", isFirm: true } as const;

const noTest: Pick<Problem, "message"> = {
  message:
    "This task brings no test, and its tests come first. Write tests of its criteria that fail on the code as it is; where none is possible, the task list says `requiresTests: false`.",
};

const greenTest: Pick<Problem, "message"> = {
  message:
    "No test of this task fails on the code as it is. Write tests of its criteria that fail before the work and pass after it.",
};

/** Gates that counted tests before; where none did, every gate, because a project's first tests may come with the task. */
function runTests({ proof, gates, tree }: TestsFirstQuestion): Halt | "red" | "green" | "unknown" {
  const unknown = gates.find(({ before }) => !before);
  if (unknown) return { kind: "baseline", gate: unknown.gate };
  const counting = gates.filter(
    ({ before }) => before?.status === "passed" && executed(before.tests) > 0,
  );
  const runs: { run: FactOf<"proof_gate_end">; counted: boolean }[] = [];
  for (const { gate, key } of counting.length > 0 ? counting : gates) {
    const run = proof.results[proofKey(key, tree)]?.[0];
    if (!run) return { kind: "run", gate, part: "first", tree };
    runs.push({ run, counted: counting.length > 0 });
    if (isRed(run, counting.length > 0)) return "red";
  }
  const isSure = runs.some(({ run, counted }) => counted || executed(run.tests) > 0);
  return isSure && runs.every(({ run }) => isJudgeable(run)) ? "green" : "unknown";
}

/** A linter is red on any odd tree: red counts where tests were counted, or could not be loaded. */
const isRed = ({ status, tests, is_load_error }: FactOf<"proof_gate_end">, isCounting: boolean) =>
  (status === "failed" && (isCounting || executed(tests) > 0 || is_load_error)) ||
  (status === "passed" && (tests?.failed ?? 0) > 0);

const isJudgeable = ({ status }: FactOf<"proof_gate_end">) =>
  status === "failed" || status === "passed";
