import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import {
  type Artifact,
  listArtifacts,
  requireUsable,
  type SessionArtifact,
} from "../../src/github/artifacts/session-artifact.ts";
import { type DispatchedRun, isPlan } from "./dispatched-run.ts";
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

/** The artifacts of a workflow run, as far as there are any. */
export interface RunArtifacts {
  session: SessionArtifact | undefined;
  proof: SessionArtifact | undefined;
}

/**
 * The session of a workflow run and the findings of its clean room. If only some jobs were rerun, an artifact of an
 * earlier attempt counts, but never one of a later attempt.
 */
export async function findArtifacts(
  github: GitHub,
  { run, attempt }: { run: number; attempt: number },
): Promise<RunArtifacts> {
  const all = await listArtifacts(github, String(run));
  const newest = (kind: string) => chooseArtifact(all, { name: `ralph-${kind}-${run}`, attempt });
  return { session: newest("session"), proof: newest("proof") };
}

/** The newest artifact of a name up to an attempt; an expired or too large one is refused (exit 2). */
export function chooseArtifact(
  artifacts: readonly Artifact[],
  { name, attempt: last }: { name: string; attempt: number },
): SessionArtifact | undefined {
  const named = artifacts.flatMap((artifact) => {
    const end = artifact.name.startsWith(`${name}-`) ? artifact.name.slice(name.length + 1) : "";
    const attempt = /^[1-9]\d{0,5}$/.test(end) ? Number(end) : 0;
    return attempt > 0 && attempt <= last ? [{ artifact, attempt }] : [];
  });
  // Of two artifacts with one name the newer one counts.
  const chosen = named
    .toSorted((a, b) => a.attempt - b.attempt || a.artifact.id - b.artifact.id)
    .at(-1);
  return chosen && { attempt: chosen.attempt, ...requireUsable(chosen.artifact) };
}
