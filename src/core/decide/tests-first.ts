import { judgeTestsFirst } from "../proof/judge-tests-first.ts";
import { noProof } from "../state/proof-state.ts";
import { currentUnit, type SessionState, type TaskState } from "../state/session-state.ts";
import { noChange } from "./feedback.ts";
import type { Policy } from "./policy.ts";
import { gateBefore, haltStep, judgingGates, mayKeepBehaviour } from "./proof-step.ts";
import type { Step } from "./step.ts";

/**
 * Whether tests come before the work. A task may ask for it; it may refuse it only in a list that a person wrote.
 * Independent subtasks keep the usual order, and so does their parent.
 */
export function isTestsFirst({ session }: SessionState, { task }: TaskState, policy: Policy) {
  const { order, requiresTests, subtasks = [] } = task;
  const isWhole = !subtasks.some(({ independent }) => independent);
  if (requiresTests === false || !isWhole) return false;
  if (order === "tests_last") return session.list_author === "model" && policy.testsFirst === true;
  return order === "tests_first" || policy.testsFirst === true;
}

/**
 * Tests from the criteria alone, which must fail on the base; then the work, without them; then both together. Undefined
 * when that is done: gates, criteria, proof and review follow as usual.
 */
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

/** A refactoring's tests hold before it, too. */
function redness(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  if (currentUnit(task) || mayKeepBehaviour(state, task)) return undefined;
  const { base, parts, proof = noProof } = task;
  const halt = judgeTestsFirst({
    proof,
    level: policy.proof.levels.red_first,
    gates: judgingGates(policy).map(({ name, key }) => ({
      gate: name,
      key,
      ...gateBefore(state, key),
    })),
    base,
    tree: parts?.tests ?? base,
  });
  return halt && haltStep(task, halt);
}
