import { counted } from "../../text/figures.ts";
import { executed, type GateComparison } from "./gate-comparison.ts";
import { type Answer, answerTo, type ProofQuestion } from "./question.ts";
import type { Problem } from "./verdict.ts";

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

/**
 * Compares how many tests a gate ran (the check `census`): none where there were some, a gate that is skipped now, and
 * fewer or more skipped tests than before. Counts of red runs are no census: some runners then name failures only.
 */
export function judgeCensus({ gate, before, after }: GateComparison): Problem | undefined {
  const [were, are] = [executed(before.tests), executed(after.tests)];
  const problem = (message: string, atWorst: Problem["atWorst"]): Problem => ({
    check: "census",
    message: `Gate "${gate}" ${message}`,
    atWorst,
  });
  if (after.status === "skipped" && before.status !== "skipped") {
    return problem(
      "ran before this task and is skipped now: restore what its condition names.",
      "refuse",
    );
  }
  if (before.status !== "passed" || were === 0) return undefined;
  const number = counted(were, before.tests?.unit === "packages" ? "package" : "test");
  if (!after.tests || are === 0 || after.tests.unit !== before.tests?.unit) {
    return problem(
      `ran ${number} before this task and reports none now: let it run them again.`,
      "refuse",
    );
  }
  if (after.status !== "passed") return undefined;
  const skipped = after.tests.skipped - before.tests.skipped;
  if (are >= were && skipped <= 0) return undefined;
  const change =
    are < were
      ? `ran ${number} before this task and runs ${are} now`
      : `skips ${counted(skipped, "test")} more than before this task`;
  return problem(
    `${change}. Restore the missing tests, or say in your report why they must go.`,
    "ask",
  );
}
