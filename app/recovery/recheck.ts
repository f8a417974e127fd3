import type { Place } from "../access/place.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { refreshRepository } from "../repositories/refresh-repository.ts";
import { isOpen, listRuns } from "../runs/dispatched-run.ts";
import { releaseRunClaim } from "../runs/end-run.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { recheckRun } from "./recheck-run.ts";
import { recoverLabels } from "./recover-labels.ts";
import { wakeWaiting } from "./wake-waiting.ts";

/**
 * Compares everything about a repository with GitHub, in case events were lost: its schedule, runs whose workflow has
 * ended, unneeded claims, waiting runs, and labels. Returns the jobs that follow.
 */
export async function recheckRepository(parts: RunParts, given: Place): Promise<NewJob[]> {
  const place = await refreshRepository(parts, given);
  if (!place) return [];
  const runs = await listRuns(parts.notes, { place });
  const jobs: NewJob[] = [];
  for (const run of runs) {
    if (isOpen(run)) jobs.push(...(await recheckRun(parts, run)));
    else if (run.claim) await releaseRunClaim(parts, run);
  }
  jobs.push(...(await wakeWaiting(parts, place)), ...(await recoverLabels(parts, place)));
  return jobs;
}
