import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { type DispatchedRun, isPlan } from "./dispatched-run.ts";
import { findArtifacts } from "./find-artifacts.ts";
import type { RunParts, Start } from "./run-parts.ts";

/**
 * The session of a run that is over, for another run that goes on with it; undefined: there is none, or nobody wants more
 * of it. What has all passed is gone on with only for a task somebody names: it may have been left out.
 */
export async function resumableSession(
  { access, clock }: RunParts,
  run: DispatchedRun | undefined,
  task: string | undefined,
): Promise<Start["resumes"]> {
  const workflow = run && lastWorkflow(run);
  if (!workflow || run.outcome || isPlan(run)) return undefined;
  const { pull, orders, tasks } = run;
  if (task === undefined && tasks && tasks.passed >= tasks.total) return undefined;
  if (!(await hasSession(await access.github(run.place), workflow))) return undefined;
  // What the session has cost already is that of the runs before.
  const day = { began_at: clock.now(), cost_usd: run.cost_usd ?? run.day?.cost_usd ?? 0 };
  return { after: workflow.run, day, ...(pull && { pull }), ...(orders && { orders }) };
}

/** A run that was to go on and never began has left what the one before it has left, whichever attempt that was. */
function lastWorkflow({ workflow, after }: DispatchedRun) {
  return workflow ?? (after === undefined ? undefined : { run: after, attempt: anyAttempt });
}

const anyAttempt = Number.MAX_SAFE_INTEGER;

/** One that has expired, or whose workflow run was deleted, is none; what GitHub refuses for now is tried again. */
async function hasSession(github: GitHub, workflow: { run: number; attempt: number }) {
  try {
    return (await findArtifacts(github, workflow)).session !== undefined;
  } catch (error) {
    const isGone = error instanceof RalphError && [undefined, 404].includes(httpStatusOf(error));
    if (!isGone) throw error;
    return false;
  }
}
