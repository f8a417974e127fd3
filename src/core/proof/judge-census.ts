import { counted } from "../../text/figures.ts";
import { answerTo, executed, type ProofGate, type ProofQuestion } from "./question.ts";
import type { Answer, Problem } from "./verdict.ts";

/** Every gate's count of tests, before and after the task's work. */
export function checkCensus(question: ProofQuestion): Answer {
  const problems: Problem[] = [];
  for (const { gate, before, after } of question.gates) {
    if (!before) return { halt: { kind: "baseline", gate } };
    const problem = judgeCensus({ gate, before, after });
    if (problem) problems.push(problem);
  }
  const sum = (side: "before" | "after") =>
    question.gates.reduce((total, gate) => total + executed(gate[side]?.tests), 0);
  const answer = answerTo(question, problems);
  if ("halt" in answer) return answer;
  return { ...answer, figures: { tests_before: sum("before"), tests_after: sum("after") } };
}

type Compared = Pick<ProofGate, "gate" | "after"> & { before: NonNullable<ProofGate["before"]> };

/**
 * Compares how many tests a gate ran (the check `census`): a gate that is skipped now or hides failures, none where there
 * were some, and fewer or more skipped tests than before. Counts of red runs are no census: some runners then name
 * failures only.
 */
export function judgeCensus(comparison: Compared): Problem | undefined {
  const { gate, before, after } = comparison;
  const refused = (message: string): Problem => ({
    check: "census",
    message: `Gate "${gate}" ${message}`,
    atWorst: "refuse",
  });
  if (after.status === "skipped" && before.status !== "skipped") {
    return refused("ran before this task and is skipped now: restore what its condition names.");
  }
  const failing = (after.tests?.failed ?? 0) - (before.tests?.failed ?? 0);
  if (after.status === "passed" && failing > 0) {
    return refused(
      `ends well although ${counted(failing, "test")} failed: let its exit code say so.`,
    );
  }
  return before.status === "passed" ? compareCounts(comparison) : undefined;
}

function compareCounts({ gate, before, after }: Compared): Problem | undefined {
  const [were, are] = [executed(before.tests), executed(after.tests)];
  if (were === 0) return undefined;
  const ran = `Gate "${gate}" ran ${counted(were, before.tests?.unit === "packages" ? "package" : "test")} before this task`;
  if (!after.tests || are === 0 || after.tests.unit !== before.tests?.unit) {
    const message = `${ran} and reports none now: let it run them again.`;
    return { check: "census", message, atWorst: "refuse" };
  }
  if (after.status !== "passed") return undefined;
  const skipped = after.tests.skipped - before.tests.skipped;
  if (are >= were && skipped <= 0) return undefined;
  const change =
    are < were
      ? `${ran} and runs ${are} now`
      : `Gate "${gate}" skips ${counted(skipped, "test")} more than before this task`;
  const message = `${change}. Restore the missing tests, or say in your report why they must go.`;
  return { check: "census", message, atWorst: "ask" };
}
