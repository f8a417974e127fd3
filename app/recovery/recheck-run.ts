import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { PublishTask } from "../jobs/job.ts";
import { type NewJob, publishJob } from "../jobs/new-job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import { endRun } from "../runs/end-run.ts";
import { findDispatched } from "../runs/find-dispatched.ts";
import { followWorkflow } from "../runs/follow-workflow.ts";
import type { RunParts } from "../runs/run-parts.ts";

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
      return [publishJob(taskOf(run))];
    default:
      return [];
  }
}

/** The attempt to publish. */
function taskOf({ id: runId, place, workflow }: DispatchedRun): PublishTask {
  const { run, attempt } = workflow ?? { run: 0, attempt: 0 };
  return { place, runId, workflow: { run, attempt } };
}

const neverStarted = {
  state: "refused",
  words: "Nothing was started: GitHub did not start the workflow.",
  ending: { kind: "lost" },
} as const;

const deleted = {
  state: "done",
  words: "The workflow run was deleted, and its result with it.",
  ending: { kind: "lost" },
} as const;

function unpublished({ workflow }: DispatchedRun) {
  const resume = workflow
    ? ` To continue, start the workflow with \`resume-from: ${workflow.run}\`.`
    : "";
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
    // The job of the event itself reports a foreign workflow run.
    if (error instanceof PermanentJobError) return [];
    if (httpStatusOf(error) !== 404) throw error;
    await endRun(parts, run, deleted);
    return [];
  }
}
