import { executed } from "../proof/question.ts";
import { isJudgeable } from "../proof/tree-class.ts";
import { type Halt, respond } from "../proof/verdict.ts";
import type { FactOf } from "../state/event.ts";
import { noProof, type ProofState, proofKey } from "../state/proof-state.ts";
import { currentUnit, type SessionState, type TaskState } from "../state/session-state.ts";
import { noChange } from "./feedback.ts";
import type { Policy } from "./policy.ts";
import { gateBefore, haltStep, judgingGates, mayKeepBehaviour } from "./proof-step.ts";
import type { Step } from "./step.ts";

/** Whether tests come before the work. Only a person's list may refuse it; tasks with independent subtasks keep the usual order. */
export function isTestsFirst({ session }: SessionState, { task }: TaskState, policy: Policy) {
  const { order, requiresTests, subtasks = [] } = task;
  const isWhole = !subtasks.some(({ independent }) => independent);
  if (requiresTests === false || !isWhole) return false;
  if (order === "tests_last") return session.list_author === "model" && policy.testsFirst === true;
  return order === "tests_first" || policy.testsFirst === true;
}

/** Tests, which must fail on the base; then the work without them; then both. Undefined once that is done. */
export function testsFirst(
  state: SessionState,
  task: TaskState,
  { policy, isCheckable }: { policy: Policy; isCheckable: boolean },
): Step | undefined {
  const { done, parts } = task;
  const { id } = task.task;
  const call = (role: "test_writing" | "implementation"): Step => {
    const part = role === "test_writing" ? "tests" : "work";
    return parts?.part === part
      ? { kind: "call-agent", task: id, role }
      : { kind: "show-work", task: id, part };
  };
  if (!done.tests) return call("test_writing");
  if (!parts || parts.part === "all") return undefined;
  const mayBeSatisfied = isCheckable && parts.tests === task.base;
  const halt = mayBeSatisfied ? undefined : redness(state, task, policy);
  if (halt) return halt;
  if (!done.implementation) return call("implementation");
  if (parts.work === task.base && !isCheckable)
    return { kind: "retry", task: id, failure: noChange };
  return { kind: "show-work", task: id, part: "all" };
}

/** The next step while tests that were written first do not fail on the base. The test writer is asked once; then they are refused. */
function redness(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  const level = policy.proof.levels.red_first;
  const isOff = level === "off" || level === "report";
  if (isOff || currentUnit(task) || mayKeepBehaviour(state, task)) return undefined;
  const { base, parts, proof = noProof } = task;
  const seen =
    parts && parts.tests !== base ? runTests(state, policy, { proof, tree: parts.tests }) : "none";
  if (typeof seen === "object") return haltStep(task, seen);
  if (seen === "red" || seen === "unknown") return undefined;
  const message = seen === "none" ? noTest : greenTest;
  const problem = { check: "red_first", message, atWorst: "refuse", isFirm: true } as const;
  const result = respond(problem, { level: "ask", mayAsk: !proof.asked.includes("red_first") });
  if ("findings" in result) return undefined;
  const { halt } = result;
  const isRefused = halt.kind === "asked" && level === "require";
  return haltStep(task, isRefused ? { ...halt, kind: "refused" } : halt);
}

const noTest =
  "This task brings no test, and its tests come first. Write tests of its criteria that fail on the code as it is; where none is possible, the task list says `requiresTests: false`.";
const greenTest =
  "No test of this task fails on the code as it is. Write tests of its criteria that fail before the work and pass after it.";

/** Gates that counted tests before; where none did, every gate, because a project's first tests may come with the task. */
function runTests(
  state: SessionState,
  policy: Policy,
  { proof, tree }: { proof: ProofState; tree: string },
): Halt | "red" | "green" | "unknown" {
  const gates = judgingGates(policy).map((rule) => ({ ...rule, ...gateBefore(state, rule.key) }));
  const unknown = gates.find(({ before }) => !before);
  if (unknown) return { kind: "baseline", gate: unknown.name };
  const counting = gates.filter(
    ({ before }) => before?.status === "passed" && executed(before.tests) > 0,
  );
  const isCounting = counting.length > 0;
  const runs: FactOf<"proof_gate_end">[] = [];
  for (const { name, key } of isCounting ? counting : gates) {
    const run = proof.results[proofKey(key, tree)]?.[0];
    if (!run) return { kind: "run", gate: name, part: "first", tree };
    if (isRed(run, isCounting)) return "red";
    runs.push(run);
  }
  const isSure = isCounting || runs.some(({ tests }) => executed(tests) > 0);
  return isSure && runs.every(isJudgeable) ? "green" : "unknown";
}

/** A linter is red on any odd tree: red counts where tests were counted, or could not be loaded. */
const isRed = ({ status, tests, is_load_error }: FactOf<"proof_gate_end">, isCounting: boolean) =>
  (status === "failed" && (isCounting || executed(tests) > 0 || is_load_error)) ||
  (status === "passed" && (tests?.failed ?? 0) > 0);
