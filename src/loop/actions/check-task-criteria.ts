import { taskOf } from "../../run/run.ts";
import { criteriaOf } from "../../run/task-step.ts";
import { checkCriteria } from "../../verify/criteria.ts";
import { gateDeps } from "../gate-deps.ts";
import { record, type Session } from "../session.ts";
import type { StepOf } from "../step-of.ts";
import { undoChanges } from "./settle-changes.ts";

/** Executes every criterion we can check ourselves, on the tree to be committed, with evidence (design 4.4). */
export async function checkTaskCriteria(
  session: Session,
  { task: id, tree }: StepOf<"check-criteria">,
): Promise<void> {
  const task = taskOf(session.journal.run, id);
  const criteria = criteriaOf(task);
  const results = await checkCriteria(gateDeps(session), { criteria, tree, base: task.base });
  if (session.cancel.aborted) return;
  if (results.some(({ kind }) => kind === "command")) await undoChanges(session);
  await record(session, { type: "criteria_end", task: id, tree, results });
}
