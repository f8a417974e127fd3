import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Place } from "../access/place.ts";
import { type JobData, PermanentJobError } from "../jobs/job.ts";
import { type NewJob, publishJob } from "../jobs/new-job.ts";
import { refreshRepository } from "../repositories/refresh-repository.ts";
import {
  type DispatchedRun,
  isOpen,
  listRuns,
  publishTaskOf,
  saveRun,
} from "../runs/dispatched-run.ts";
import { endRun, releaseRunClaim, resumeByHand, workflowDeleted } from "../runs/end-run.ts";
import { findDispatched, followWorkflow } from "../runs/follow-workflow.ts";
import type { RunParts } from "../runs/run-parts.ts";
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

const minuteMs = 60_000;

/** A dispatched workflow appears within this time. */
const unseenMs = 30 * minuteMs;
/** All attempts of the starting job have ended by then. */
const startMs = 6 * 60 * minuteMs;
/** All attempts of the publishing job have ended by then, with time left to requeue it. */
const publishMs = 48 * 60 * minuteMs;

/** Updates an open run after lost events; a run whose workflow was deleted ends. */
export async function recheckRun(parts: RunParts, run: DispatchedRun): Promise<NewJob[]> {
  const age = parts.clock.now() - Math.max(run.changed_at, run.waits_until ?? 0);
  switch (run.state) {
    case "claimed":
      if (age > startMs) await endRun(parts, run, neverStarted);
      return [];
    case "started":
    case "working":
      return findAndFollow(parts, run, age);
    case "publishing":
      if (age > publishMs) {
        await endRun(parts, run, unpublished(run));
        return [];
      }
      // Adds nothing while the same job is queued, dead or recently done.
      return [publishJob(publishTaskOf(run))];
    default:
      return [];
  }
}

const neverStarted = {
  state: "refused",
  words: "Nothing was started: GitHub did not start the workflow.",
  ending: { kind: "lost" },
} as const;

function unpublished({ workflow }: DispatchedRun) {
  const resume = workflow ? ` ${resumeByHand(workflow.run)}` : "";
  return {
    state: "done",
    words: `The result could not be published within two days.${resume}`,
    ending: { kind: "failed", in: "publishing" },
  } as const;
}

async function findAndFollow(parts: RunParts, run: DispatchedRun, age: number): Promise<NewJob[]> {
  const number = run.workflow?.run ?? (await findDispatched(parts, run));
  if (number === undefined) {
    if (age > unseenMs) await endRun(parts, run, neverStarted);
    return [];
  }
  try {
    return await followWorkflow(parts, { place: run.place, run: number });
  } catch (error) {
    // The event's own job reports a foreign workflow run.
    if (error instanceof PermanentJobError) return [];
    if (httpStatusOf(error) !== 404) throw error;
    await endRun(parts, run, workflowDeleted);
    return [];
  }
}

/** Ends the open runs of a deleted repository in the notes; there is nothing left to comment on or to cancel. */
export async function endLostRuns(parts: RunParts, { place }: JobData["deleted"]): Promise<void> {
  if (await refreshRepository(parts, place)) return;
  for (const run of await listRuns(parts.notes, { place })) {
    if (!isOpen(run)) continue;
    const { claim: _, ...rest } = run;
    await saveRun(parts.notes, {
      ...{ ...rest, state: "done", ending: { kind: "lost" } },
      ...{ words: "The repository was deleted, and the run with it." },
      changed_at: parts.clock.now(),
    });
  }
}
