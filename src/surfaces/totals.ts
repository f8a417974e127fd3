import { roles } from "../run/event.ts";
import { selectedTasks } from "../run/order.ts";
import type { Run } from "../run/run.ts";
import type { UsageByRole } from "../run/usage.ts";

/** The figures every report shares. `durationMs` is wall time, breaks between parts of a session included. */
export function totalsOf(run: Run) {
  const selected = selectedTasks(run);
  return {
    completed: selected.filter(({ state }) => state === "passed").length,
    total: selected.length,
    iterations: iterationsOf(run),
    durationMs: Date.parse(run.end?.at ?? run.ts) - Date.parse(run.startedAt),
  };
}

/** Each role that was called with what it used, in the order of a task's life. */
export function usagesOf(byRole: UsageByRole) {
  return roles.flatMap((role) => {
    const usage = byRole[role];
    return usage ? [{ role, usage }] : [];
  });
}

export function iterationsOf({ tasks }: Pick<Run, "tasks">): number {
  return tasks.reduce((sum, { iterations }) => sum + iterations, 0);
}
