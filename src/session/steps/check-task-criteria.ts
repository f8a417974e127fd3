import type { StepOf } from "../../core/decide/step.ts";
import { criteriaOf } from "../../core/decide/task-step.ts";
import type { CriterionResult } from "../../core/state/event.ts";
import { taskOf } from "../../core/state/session-state.ts";
import { type CriteriaCheck, checkCriteria, type RuntimeStage } from "../../gates/criteria.ts";
import { parseCriterion } from "../../schema/tasks/criterion.ts";
import { undoChanges } from "../loop/collect-changes.ts";
import { gateDeps } from "../loop/gate-deps.ts";
import { openStage } from "../loop/open-stage.ts";
import { record, type SessionContext } from "../loop/session-context.ts";
import { openJudgingPlace } from "../workers/workers.ts";
import { type FrontEndView, planFrontEnd, seeAfter, seeBefore } from "./see-front-end.ts";

/** Runs every checkable criterion on the tree to be committed, and keeps the output as evidence (design 4.4). */
export async function checkTaskCriteria(
  session: SessionContext,
  { task: id, tree }: StepOf<"check-criteria">,
): Promise<void> {
  const task = taskOf(session.journal.state, id);
  const view = await planFrontEnd(session, task, tree);
  if (view) await seeBefore(session, view);
  const check = { criteria: criteriaOf(task), tree, base: task.base };
  const results = await checkAside(session, check, view);
  if (session.cancel.aborted || !results) return;
  await record(session, { type: "criteria_end", task: id, tree, results });
}

/** Runs commands where gates run; reads files from the tree. `view`: pages to show after the task. Undefined when cancelled. */
export async function checkAside(
  session: SessionContext,
  check: CriteriaCheck,
  view?: FrontEndView,
): Promise<CriterionResult[] | undefined> {
  if (!view && !check.criteria.some((text) => runsProject(session, text))) {
    return checkCriteria(gateDeps(session), check);
  }
  const place = await openJudgingPlace(session, check.tree);
  if (place.kind === "stopped") return undefined;
  // A command that lacks its tools fails by itself, and its evidence says why.
  const results = view
    ? await checkAndSee(session, place.context, { check, view })
    : await checkCriteria(gateDeps(place.context), check);
  await undoChanges(place.context);
  return results;
}

/** One start of the services is for criteria and pictures. */
async function checkAndSee(
  session: SessionContext,
  place: SessionContext,
  { check, view }: { check: CriteriaCheck; view: FrontEndView },
): Promise<CriterionResult[]> {
  let isSeen = false;
  // Criteria change the data of the program, so the pictures come first.
  const open = async (): Promise<RuntimeStage> => {
    const stage = await openStage(place);
    isSeen = true;
    await seeAfter(session, stage, view);
    return stage;
  };
  const results = await checkCriteria({ ...gateDeps(place), openStage: open }, check);
  const holds = results.every(({ verdict }) => verdict !== "failed");
  if (holds && !isSeen && !session.cancel.aborted) await (await open())[Symbol.asyncDispose]();
  return results;
}

/** Whether code of the project runs: as a command, or as services. */
function runsProject({ config }: SessionContext, text: string): boolean {
  const { kind } = parseCriterion(text);
  const isRuntime = kind === "api" || kind === "browser";
  return kind === "command" || (isRuntime && Object.keys(config.services).length > 0);
}
