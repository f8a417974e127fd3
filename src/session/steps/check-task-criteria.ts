import type { StepOf } from "../../core/decide/step.ts";
import { criteriaOf } from "../../core/decide/task-step.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { checkCriteria } from "../../gates/criteria.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { record, type SessionContext } from "../loop/session-context.ts";

/** Runs every checkable criterion on the tree to be committed, and keeps the output as evidence (design 4.4). */
export async function checkTaskCriteria(
  session: SessionContext,
  { task: id, tree }: StepOf<"check-criteria">,
): Promise<void> {
  const task = taskOf(session.journal.state, id);
  const criteria = criteriaOf(task);
  const results = await checkCriteria(gateDeps(session), { criteria, tree, base: task.base });
  if (session.cancel.aborted) return;
  if (results.some(({ kind }) => kind === "command")) await undoChanges(session);
  await record(session, { type: "criteria_end", task: id, tree, results });
}
