import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { PublishTask } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { publishJob } from "../jobs/new-job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import type { DispatchedRun } from "../runs/dispatched-run.ts";
import { endRun } from "../runs/end-run.ts";
import { expectedWorkflow, followWorkflow } from "../runs/follow-workflow.ts";
import { type RunParts, workflowFile } from "../runs/run-parts.ts";
import { listWorkflows, runIdOf } from "../runs/workflow-facts.ts";

const minuteMs = 60_000;

/** So long a workflow that was asked for may be unseen. */
const unseenMs = 30 * minuteMs;
/** All attempts of a job that starts a run are over by then. */
const startMs = 6 * 60 * minuteMs;
/** All attempts of a job that publishes are over by then, and somebody had time to have it tried again. */
const publishMs = 48 * 60 * minuteMs;

/** Looks where an open run stands when no event has told; one whose workflow is gone is over. */
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
      // Known as long as it is done or waits for somebody; then this adds nothing.
      return [publishJob(taskOf(run))];
    default:
      return [];
  }
}

/** The attempt of its workflow that is to be published. */
function taskOf({ id: runId, place, workflow }: DispatchedRun): PublishTask {
  const { run, attempt } = workflow ?? { run: 0, attempt: 0 };
  return { place, runId, workflow: { run, attempt } };
}

const neverStarted = {
  state: "refused",
  words: "Nothing was started: GitHub did not start the workflow.",
} as const;

const deleted = {
  state: "done",
  words: "Its workflow run was deleted, and with it what the run came to.",
} as const;

function unpublished({ workflow }: DispatchedRun) {
  const goOn = workflow
    ? ` To go on, start the workflow with \`resume-from: ${workflow.run}\`.`
    : "";
  return { state: "done", words: `Its result could not be published in two days.${goOn}` } as const;
}

async function findAndFollow(parts: RunParts, run: DispatchedRun, age: number): Promise<NewJob[]> {
  const number = run.workflow?.run ?? (await findWorkflow(parts, run));
  if (number === undefined) {
    if (age > unseenMs) await endRun(parts, run, neverStarted);
    return [];
  }
  try {
    return await followWorkflow(parts, { place: run.place, run: number });
  } catch (error) {
    // What is not ours is told where the event itself is looked at.
    if (error instanceof PermanentJobError) return [];
    if (httpStatusOf(error) !== 404) throw error;
    await endRun(parts, run, deleted);
    return [];
  }
}

/** A workflow whose beginning nobody has told us of is known by its title. */
async function findWorkflow(
  { access }: RunParts,
  { id, place, started_at: at, after = 0 }: DispatchedRun,
): Promise<number | undefined> {
  const github = await access.github(place);
  const expected = await expectedWorkflow(access, { github, place });
  const since = at - minuteMs;
  const found = await listWorkflows(github, { workflow: workflowFile, since });
  return found.find((facts) => facts.id > after && runIdOf(facts, expected) === id)?.id;
}
