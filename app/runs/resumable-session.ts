import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { type DispatchedRun, isPlan } from "./dispatched-run.ts";
import { findArtifacts } from "./find-artifacts.ts";
import type { RunParts, Start } from "./run-parts.ts";

/**
 * The session of a finished run for another run to continue; undefined without one, or if its pull request was
 * merged, rejected or taken over. A complete session only continues for a named task, which may have been skipped.
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
  // The cost so far belongs to the earlier runs.
  const day = { began_at: clock.now(), cost_usd: run.cost_usd ?? run.day?.cost_usd ?? 0 };
  return { after: workflow.run, day, ...(pull && { pull }), ...(orders && { orders }) };
}

/** A run that never began leaves the session of the run before, whichever attempt made it. */
function lastWorkflow({ workflow, after }: DispatchedRun) {
  return workflow ?? (after === undefined ? undefined : { run: after, attempt: anyAttempt });
}

const anyAttempt = Number.MAX_SAFE_INTEGER;

/** False for an expired session or a deleted workflow run; temporary errors are thrown. */
async function hasSession(github: GitHub, workflow: { run: number; attempt: number }) {
  try {
    return (await findArtifacts(github, workflow)).session !== undefined;
  } catch (error) {
    const isGone = error instanceof RalphError && [undefined, 404].includes(httpStatusOf(error));
    if (!isGone) throw error;
    return false;
  }
}
