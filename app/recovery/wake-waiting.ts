import type { Place } from "../access/place.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { continueWorkflow } from "../publish/continue-workflow.ts";
import { type DispatchedRun, findRun, listRuns } from "../runs/dispatched-run.ts";
import { type RunParts, startOf } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";

/** The waiting runs and those whose start was interrupted, oldest first. Pure. */
export function dueRuns(runs: readonly DispatchedRun[]): DispatchedRun[] {
  return runs
    .filter(({ state, waits_for }) => state === "waiting" || (state === "claimed" && waits_for))
    .toSorted((one, other) => one.started_at - other.started_at);
}

/**
 * Starts or continues the waiting runs one after the other, until one must wait for room, as all later ones would. Each
 * keeps its id. Returns the jobs that follow.
 */
export async function wakeWaiting(parts: RunParts, place: Place): Promise<NewJob[]> {
  const runs = await listRuns(parts.notes, { place });
  const jobs: NewJob[] = [];
  for (const run of dueRuns(runs)) {
    const { id } = run;
    jobs.push(...(await wake(parts, run)));
    const now = await findRun(parts.notes, { id, place });
    if (now?.state === "waiting" && now.waits_for === "room") break;
  }
  return jobs;
}

async function wake(parts: RunParts, run: DispatchedRun): Promise<NewJob[]> {
  const { id, place, workflow, goes_on } = run;
  if (goes_on && workflow) return continueWorkflow(parts, { place, runId: id, workflow });
  const start = startOf(run);
  if (start) await startRun(parts, { id, place, start });
  return [];
}
