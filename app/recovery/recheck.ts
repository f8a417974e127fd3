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
 * Brings everything about a repository in step with GitHub, whatever events were lost: its schedule, runs whose workflow
 * is over, claims nobody needs any more, runs that wait, labels nobody has told us of. Answers what else is to be done.
 */
export async function recheckRepository(parts: RunParts, place: Place): Promise<NewJob[]> {
  if (!(await refreshRepository(parts, place))) return [];
  const runs = await listRuns(parts.notes, { repositories: [place.repository] });
  const jobs: NewJob[] = [];
  for (const found of runs) {
    const run = await adopted(parts, { run: found, place });
    if (isOpen(run)) jobs.push(...(await recheckRun(parts, run)));
    else if (run.claim) await releaseRunClaim(parts, run);
  }
  jobs.push(...(await wakeWaiting(parts, place)), ...(await recoverLabels(parts, place)));
  return jobs;
}

/** Where the App was removed and installed again, what is still to be done goes by the new installation. */
async function adopted(
  { notes }: RunParts,
  { run, place }: { run: DispatchedRun; place: Place },
): Promise<DispatchedRun> {
  if (run.place.installation === place.installation || !(isOpen(run) || run.claim)) return run;
  const next = { ...run, place };
  await saveRun(notes, next);
  return next;
}
