import { judgeGates } from "../decide/gates.ts";
import type { GateRule } from "../decide/policy.ts";
import { criteriaOf } from "../decide/task-step.ts";
import type { CriterionResult, FactOf } from "../state/event.ts";
import {
  currentUnit,
  openCheckpoints,
  type SessionState,
  type TaskState,
  taskOf,
} from "../state/session-state.ts";
import { runsCommands } from "../state/task-list-origin.ts";

/** Lists which conditions of design 4 a pass lacks, from the state right before it. It checks the journal, not which step was due. */
export function auditPass(
  before: SessionState,
  pass: FactOf<"task_passed">,
  rules: readonly GateRule[],
): string[] {
  const task = taskOf(before, pass.task);
  return [
    ...auditPlace(before, task, pass),
    ...auditSignals(task, pass),
    ...auditGates(before, task, { tree: pass.tree, rules }),
    ...auditCriteria(before, task, pass),
    ...auditReview(task, pass),
    ...auditSubtasks(task),
  ];
}

/** The message, where something is wrong. */
export const when = (isWrong: boolean, message: string) => (isWrong ? [message] : []);

function auditPlace(state: SessionState, task: TaskState, pass: FactOf<"task_passed">): string[] {
  const isUnchanged = task.base === pass.tree;
  return [
    ...when(isMergedElsewhere(state, task), "it was merged onto another commit than its parent"),
    ...when(lacksOthers(state, task), "it was not merged with what passed in the meantime"),
    ...when(task.state !== "running", `it was ${task.state} when it passed`),
    ...when(task.tree !== pass.tree, "the tree that passed is not the one its agents left"),
    ...when(pass.parent !== state.head, "its parent is not the commit the session was at"),
    ...when(isUnchanged && !pass.already_satisfied, "nothing was changed"),
    ...when(!isUnchanged && pass.already_satisfied, "it changed something as `already satisfied`"),
  ];
}

const isMergedElsewhere = ({ head }: SessionState, { merged, tree }: TaskState) =>
  merged?.tree === tree && merged.onto !== head;

/** Without the merge, its commit would undo the work of other tasks. */
const lacksOthers = ({ headTree }: SessionState, { claimed, base }: TaskState) =>
  claimed !== undefined && base !== headTree;

function auditSignals({ done, task }: TaskState, pass: FactOf<"task_passed">): string[] {
  const needsTests = task.requiresTests !== false && !pass.already_satisfied;
  return [
    ...when(!done.implementation, "there is no valid done signal of the implementation"),
    ...when(needsTests && !done.tests, "there is no valid done signal of the test writer"),
  ];
}

function auditGates(
  state: SessionState,
  { gates }: TaskState,
  { tree, rules }: { tree: string; rules: readonly GateRule[] },
): string[] {
  const verdict = judgeGates(state, rules, { gates, tree });
  switch (verdict.kind) {
    case "passed":
      return [];
    case "run":
      return [`gate "${verdict.gate}" did not run on the tree that passed`];
    case "baseline":
    case "failed":
    case "unjudgeable":
      return [`gate "${verdict.gate}" was not green on the tree that passed`];
  }
}

function auditCriteria({ session }: SessionState, task: TaskState, pass: FactOf<"task_passed">) {
  const results = task.criteria?.tree === pass.tree ? task.criteria.results : [];
  const isSatisfied = pass.already_satisfied;
  return lackingCriteria(session, criteriaOf(task), { results, isSatisfied }).map(
    ({ number, lack }) => `criterion ${number} ${lack}`,
  );
}

/** The criteria, by number from 1, that lack a result a session can have. */
export function lackingCriteria(
  session: SessionState["session"],
  criteria: readonly string[],
  { results, isSatisfied }: { results: readonly CriterionResult[]; isSatisfied: boolean },
): { number: number; lack: string }[] {
  const checkable = runsCommands(session, session.sandbox) ? [...looked, "command"] : looked;
  return criteria.flatMap((text, index) => {
    const result = results[index];
    const known = result?.text === text ? result : undefined;
    const lack = lackOf(known, { isSatisfied, checkable });
    return lack === undefined ? [] : [{ number: index + 1, lack }];
  });
}

/** A criterion that held before counts as proved only when nothing had to change; otherwise the reviewer judged it (design 4.4). */
function lackOf(
  result: CriterionResult | undefined,
  { isSatisfied, checkable }: { isSatisfied: boolean; checkable: readonly string[] },
): string | undefined {
  if (!result) return "was not checked on the tree that passed";
  const { verdict, kind } = result;
  if (verdict === "failed") return "does not hold";
  if (verdict !== "to_judge") return undefined;
  if (isSatisfied) return "is not proved, and nothing was changed";
  return checkable.includes(kind) ? "could have been checked, but was not" : undefined;
}

const looked: readonly string[] = ["file-exists", "file-contains"];

function auditReview(task: TaskState, pass: FactOf<"task_passed">): string[] {
  const { done, lastCall, merged } = task;
  const { signal, role, tree: seen } = lastCall ?? {};
  // The approved tree may have been merged with what passed in the meantime.
  const tree = merged?.reviewed === seen ? merged?.tree : seen;
  const isApproval = signal?.kind === "valid" && signal.name === "review-approved";
  return [
    ...when(!done.review || role !== "review" || !isApproval, "no review approved it"),
    ...when(done.review && tree !== pass.tree, "the review approved another tree"),
  ];
}

function auditSubtasks(task: TaskState): string[] {
  const unit = currentUnit(task);
  const open = [...(unit ? [unit] : []), ...openCheckpoints(task)];
  return open.map(({ id }) => `subtask ${id} has not passed`);
}
