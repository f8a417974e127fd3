import type { Place } from "../access/place.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { refreshRepository } from "../repositories/refresh-repository.ts";
import { type DispatchedRun, isOpen, listRuns, saveRun } from "../runs/dispatched-run.ts";
import { releaseRunClaim } from "../runs/end-run.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { recheckRun } from "./recheck-run.ts";
import { recoverLabels } from "./recover-labels.ts";
import { wakeWaiting } from "./wake-waiting.ts";

/**
 * Compares everything about a repository with GitHub, in case events were lost: its schedule, runs whose workflow has
 * ended, unneeded claims, waiting runs, and labels. Returns the jobs that follow.
 */
export async function recheckRepository(parts: RunParts, place: Place): Promise<NewJob[]> {
  if (!(await refreshRepository(parts, place))) return [];
  const runs = await listRuns(parts.notes, { repositories: [place.repository] });
  const jobs: NewJob[] = [];
  for (const found of runs) {
    const run = await adopt(parts, { run: found, place });
    if (isOpen(run)) jobs.push(...(await recheckRun(parts, run)));
    else if (run.claim) await releaseRunClaim(parts, run);
  }
  jobs.push(...(await wakeWaiting(parts, place)), ...(await recoverLabels(parts, place)));
  return jobs;
}

/** After a reinstallation of the App, unfinished runs continue through the new installation. */
async function adopt(
  { notes }: RunParts,
  { run, place }: { run: DispatchedRun; place: Place },
): Promise<DispatchedRun> {
  if (run.place.installation === place.installation || !(isOpen(run) || run.claim)) return run;
  const next = { ...run, place };
  await saveRun(notes, next);
  return next;
}
