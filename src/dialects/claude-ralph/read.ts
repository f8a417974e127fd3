import type { Phase } from "../../schema/base/phase.ts";
import type { ForeignRun, ForeignTree } from "../dialect.ts";
import { claimsOfOthers, sessionOf } from "./owners.ts";
import { type ClaudeRalphPlan, isHeld, plansIn } from "./plans.ts";

/** The plans in use. A plan of ralph's has the id of its session, which the states of its agents name. */
export function readClaudeRalphRuns(tree: ForeignTree, now: string): ForeignRun[] {
  return plansIn(tree).flatMap((plan) => {
    const path = plan.queue?.path ?? plan.progress?.path;
    if (path === undefined) return [];
    const id = idOf(plan);
    return [
      {
        id,
        path,
        isActive: isActive(plan, now),
        phase: phaseOf(plan),
        detail: detailOf(plan, now),
      },
    ];
  });
}

/** The id of the ralph session, else of the plan; a plan in which another program has a task is that program's. */
export const idOf = (plan: ClaudeRalphPlan): string =>
  (claimsOfOthers(plan).length > 0 ? undefined : sessionOf(plan)) ?? plan.id;

const tasksOf = ({ queue }: ClaudeRalphPlan) => queue?.data.tasks ?? [];

/** Whether an agent holds a task with a valid lease. */
export const isActive = (plan: ClaudeRalphPlan, now: string): boolean =>
  tasksOf(plan).some((task) => isHeld(task, plan, now));

const phases = { implementation: "executing", verify_fix: "fixing", review: "verifying" } as const;

/** No file records a cancellation: a plan with open tasks keeps its last phase. */
function phaseOf(plan: ClaudeRalphPlan): Phase {
  const statuses = tasksOf(plan).map(({ status }) => status);
  const isOpen = statuses.some((status) => status === "pending" || status === "claimed");
  if (statuses.length > 0 && !isOpen) return statuses.includes("failed") ? "failed" : "complete";
  const word = plan.progress?.data.phase;
  return word === undefined ? "starting" : phases[word];
}

/** A task with an expired lease counts as abandoned. */
function detailOf(plan: ClaudeRalphPlan, now: string): string {
  const tasks = tasksOf(plan);
  const held = tasks.filter((task) => isHeld(task, plan, now));
  const lost = tasks.filter(({ status }) => status === "claimed").length - held.length;
  const count = (status: string) => tasks.filter((task) => task.status === status).length;
  const parts = [
    `${count("done")} of ${tasks.length} tasks done`,
    ...held.map(({ id, claimed_by }) => `${claimed_by} has ${id}`),
    ...(lost > 0 ? [`${lost} abandoned`] : []),
    ...(count("failed") > 0 ? [`${count("failed")} failed`] : []),
  ];
  return parts.slice(0, 6).join(", ");
}
