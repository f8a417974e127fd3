import type { Phase } from "../../schema/base/phase.ts";
import type { ForeignRun, ForeignTree } from "../dialect.ts";
import { sessionIn } from "./agent-states.ts";
import { type ClaudeRalphPlan, isHeld, plansIn } from "./plans.ts";

/** The plans in use. One of ours is told by its session: its agents' states name it. */
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

/** Our session's id where it is one of ours, else the plan's. */
export const idOf = ({ id, agents }: ClaudeRalphPlan): string =>
  agents.map(({ data }) => sessionIn(data)).find((session) => session !== undefined) ?? id;

const tasksOf = ({ queue }: ClaudeRalphPlan) => queue?.data.tasks ?? [];

/** Somebody has a task and a lease on it that has not run out. */
export const isActive = (plan: ClaudeRalphPlan, now: string): boolean =>
  tasksOf(plan).some((task) => isHeld(task, plan, now));

const phases = { implementation: "executing", verify_fix: "fixing", review: "verifying" } as const;

/** No file says that a plan was cancelled: one with work left stands where it was last. */
function phaseOf(plan: ClaudeRalphPlan): Phase {
  const statuses = tasksOf(plan).map(({ status }) => status);
  const isOpen = statuses.some((status) => status === "pending" || status === "claimed");
  if (statuses.length > 0 && !isOpen) return statuses.includes("failed") ? "failed" : "complete";
  const word = plan.progress?.data.phase;
  return word === undefined ? "starting" : phases[word];
}

/** A claim whose lease has run out is none: somebody else may take the task on. */
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
