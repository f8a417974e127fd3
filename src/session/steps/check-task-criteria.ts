import type { StepOf } from "../../core/decide/step.ts";
import { criteriaOf } from "../../core/decide/task-step.ts";
import type { CriterionResult } from "../../core/state/event.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { type CriteriaCheck, checkCriteria } from "../../gates/criteria.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openJudgingPlace } from "../proof/judging-place.ts";

/** Runs every checkable criterion on the tree to be committed, and keeps the output as evidence (design 4.4). */
export async function checkTaskCriteria(
  session: SessionContext,
  { task: id, tree }: StepOf<"check-criteria">,
): Promise<void> {
  const task = taskOf(session.journal.state, id);
  const results = await checkAside(session, { criteria: criteriaOf(task), tree, base: task.base });
  if (session.cancel.aborted || !results) return;
  await record(session, { type: "criteria_end", task: id, tree, results });
}

/** Commands run where gates do; files are read from the tree itself. Undefined when the user cancelled. */
export async function checkAside(
  session: SessionContext,
  check: CriteriaCheck,
): Promise<CriterionResult[] | undefined> {
  if (!check.criteria.some((text) => runsProject(session, text))) {
    return checkCriteria(gateDeps(session), check);
  }
  const place = await openJudgingPlace(session, check.tree);
  if (place.kind === "stopped") return undefined;
  // A command that lacks its tools fails by itself, and its evidence says why.
  const results = await checkCriteria(gateDeps(place.context), check);
  await undoChanges(place.context);
  return results;
}

/** Whether code of the project runs: as a command, or as services. */
function runsProject({ config }: SessionContext, text: string): boolean {
  const { kind } = parseCriterion(text);
  const isRuntime = kind === "api" || kind === "browser";
  return kind === "command" || (isRuntime && Object.keys(config.services).length > 0);
}
