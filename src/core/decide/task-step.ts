import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { counted } from "../../text/figures.ts";
import type { CriterionResult } from "../state/event.ts";
import {
  checkpointsOf,
  currentUnit,
  openCheckpoints,
  type SessionState,
  type TaskState,
} from "../state/session-state.ts";
import {
  callFailure,
  criteriaFailure,
  gateFailure,
  noChange,
  subtasksFailure,
} from "./feedback.ts";
import { judgeGates } from "./gates.ts";
import { isBehind, isMerged } from "./merge-queue.ts";
import { maxIdleIterations, maxSubtaskIterations, type Policy } from "./policy.ts";
import { isProofDue, proofBeforeReview, proofStep } from "./proof-step.ts";
import type { IterationFailure, Step } from "./step.ts";
import { isTestsFirst, testsFirst } from "./tests-first.ts";

/** The next step of a running task (design 4). Work of tasks that passed in the meantime is merged, then gates and criteria run again. */
export function taskStep(state: SessionState, task: TaskState, policy: Policy): Step {
  return (
    giveUp(task, policy) ??
    failedCall(state, task, policy) ??
    (isTestsFirst(state, task, policy)
      ? testsFirst(state, task, { policy, isCheckable: isAllCheckable(task) })
      : undefined) ??
    implement(task) ??
    subtasks(task) ??
    writeTests(task) ??
    (isMerged(task) ? undefined : gates(state, task, { policy, level: loopLevel(policy) })) ??
    criteria(task) ??
    knownBeforeReview(state, task, policy) ??
    review(task) ??
    // On a merge, only old tests and counts are checked.
    proof(state, task, policy) ??
    merge(state, task) ??
    gates(state, task, { policy, level: "full" }) ??
    proof(state, task, policy) ??
    pass(task)
  );
}

/** `build` inside the loop if it has gates; an empty level would prove nothing (compatibility 1.11). */
export function loopLevel({ level, gates: { build } }: Policy): Policy["level"] {
  return level === "build" && build.length === 0 ? "full" : level;
}

function giveUp(task: TaskState, policy: Policy): Step | undefined {
  const limit = currentUnit(task) ? maxSubtaskIterations : policy.maxIterations;
  const { lastFailure: last } = task;
  const isJudged = last && ["gate", "criteria", "proof", "review"].includes(last.because);
  const quit = (as: "failed" | "blocked", message: string): Step => ({
    kind: "give-up",
    task: task.task.id,
    as,
    message: last ? `${message}. Last failure: ${last.feedback}` : message,
  });
  if (task.rejections >= policy.maxVerificationAttempts) {
    return quit("failed", `Not approved in ${counted(task.rejections, "review")}`);
  }
  if (isJudged && task.repeats > 0) {
    return quit("blocked", "The same failure twice with the same work");
  }
  if (task.idleIterations >= maxIdleIterations) {
    return quit("blocked", `No change in ${counted(task.idleIterations, "iteration")}`);
  }
  if (task.iteration > limit) return quit("failed", `No pass in ${counted(limit, "iteration")}`);
  if (task.sameFailures >= policy.maxSameFailures) {
    return quit("blocked", `The same failure ${counted(task.sameFailures, "time")} in a row`);
  }
  return undefined;
}

/** A refusal of the proof while the reviewer reads outranks a rejection, and names it. */
function failedCall(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  const { lastCall: call } = task;
  const failure = call && callFailure(call);
  if (!failure) return undefined;
  const beside = call.role === "review" ? proofStep(state, task, policy) : undefined;
  if (beside?.kind !== "retry") return retry(task, failure);
  const feedback = `${beside.failure.feedback}\n\n${failure.feedback}`;
  return retry(task, { ...beside.failure, feedback });
}

const retry = (task: TaskState, failure: IterationFailure): Step => ({
  kind: "retry",
  task: task.task.id,
  failure,
});

const callAgent = (task: TaskState, role: "implementation" | "test_writing" | "review"): Step => ({
  kind: "call-agent",
  task: task.task.id,
  role,
});

function implement(task: TaskState): Step | undefined {
  if (!task.done.implementation) return callAgent(task, "implementation");
  return isUnchanged(task) && !isAllCheckable(task) ? retry(task, noChange) : undefined;
}

const isUnchanged = ({ base, tree }: TaskState) => base === tree;

/** Whether every criterion is checkable: only then may a task without a change be "already satisfied". */
function isAllCheckable(task: TaskState): boolean {
  return criteriaOf(task).every((text) => isCheckable(parseCriterion(text).kind));
}

const isCheckable = (kind: string) =>
  kind === "command" || kind === "file-exists" || kind === "file-contains";

/** The criteria of the current unit: the independent subtask's own, else the task's and its checkpoints'. */
export function criteriaOf(task: TaskState): readonly string[] {
  const unit = currentUnit(task);
  if (unit) return unit.acceptanceCriteria;
  const checkpoints = checkpointsOf(task).flatMap(({ acceptanceCriteria }) => acceptanceCriteria);
  return [...task.task.acceptanceCriteria, ...checkpoints];
}

function writeTests(task: TaskState): Step | undefined {
  const isNeeded = task.task.requiresTests !== false && !isUnchanged(task);
  return isNeeded && !task.done.tests ? callAgent(task, "test_writing") : undefined;
}

function gates(
  state: SessionState,
  task: TaskState,
  { policy, level }: { policy: Policy; level: Policy["level"] },
): Step | undefined {
  if (level === "none") return undefined;
  const verdict = judgeGates(state, policy.gates[level], task);
  const { id } = task.task;
  switch (verdict.kind) {
    case "passed":
      return undefined;
    case "run":
      return { kind: "run-gate", task: id, gate: verdict.gate, level, tree: task.tree };
    case "baseline":
      return { kind: "run-baseline", gate: verdict.gate, level };
    case "failed":
      return retry(task, gateFailure(verdict, { hidesTests: task.parts !== undefined }));
    case "unjudgeable":
      return {
        kind: "end",
        reason: "gate_fatal",
        message: `Gate "${verdict.gate}" fails before and after the work, and its output names no failure to compare. Repair it, or set \`baseline: repair\` or \`baseline: allow\` on the gate. ${verdict.detail}`,
      };
  }
}

function criteria(task: TaskState): Step | undefined {
  const known = task.criteria?.tree === task.tree ? task.criteria.results : undefined;
  if (!known) return { kind: "check-criteria", task: task.task.id, tree: task.tree };
  const failed = known.filter(({ verdict }) => verdict === "failed");
  const impossible = failed.find(({ not_started }) => not_started);
  if (impossible) return cannotStart(task, impossible);
  if (failed.length > 0) return retry(task, criteriaFailure(failed));
  const isOpen = known.some(({ verdict }) => verdict === "to_judge");
  return isUnchanged(task) && isOpen ? retry(task, noChange) : undefined;
}

/** A misspelt or missing program: no further iteration could change that. */
const cannotStart = ({ task }: TaskState, { number, text, detail }: CriterionResult): Step => ({
  kind: "give-up",
  task: task.id,
  as: "blocked",
  message: `The command of criterion ${number} cannot be started. Correct the criterion, or install the program. ${text}: ${detail}`,
});

function subtasks(task: TaskState): Step | undefined {
  if (currentUnit(task)) return undefined;
  const open = openCheckpoints(task);
  return open.length > 0 ? retry(task, subtasksFailure(open)) : undefined;
}

/** The reviewer reads what old tests and counts say, so every gate has run by then. */
function knownBeforeReview(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  if (!isProofDue(task, policy) || isMerged(task)) return undefined;
  return gates(state, task, { policy, level: "full" }) ?? proofBeforeReview(state, task, policy);
}

/** On a merge, gates run before the checks of the proof. */
function proof(state: SessionState, task: TaskState, policy: Policy): Step | undefined {
  if (!isProofDue(task, policy)) return undefined;
  return gates(state, task, { policy, level: "full" }) ?? proofStep(state, task, policy);
}

function review(task: TaskState): Step | undefined {
  return task.done.review ? undefined : callAgent(task, "review");
}

function merge(state: SessionState, task: TaskState): Step | undefined {
  if (currentUnit(task) || !isBehind(state, task)) return undefined;
  return { kind: "merge", task: task.task.id, tree: task.tree };
}

function pass(task: TaskState): Step {
  const unit = currentUnit(task);
  const { id } = task.task;
  if (unit) return { kind: "pass-subtask", task: id, subtask: unit.id, tree: task.tree };
  return { kind: "pass", task: id, tree: task.tree, isAlreadySatisfied: isUnchanged(task) };
}
