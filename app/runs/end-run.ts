import { releaseClaim } from "../../src/github/claims/claim.ts";
import { type DispatchedRun, saveRun } from "./dispatched-run.ts";
import { commenterFor, reportProgress } from "./progress-comment.ts";
import type { RunParts } from "./run-parts.ts";

/** Releases a run's claim. */
export async function releaseRunClaim(parts: RunParts, run: DispatchedRun): Promise<DispatchedRun> {
  const { claim, ...released } = run;
  if (!claim) return run;
  const github = await parts.access.github(run.place);
  await releaseClaim({ github, clock: parts.clock }, claim);
  await saveRun(parts.notes, released);
  return released;
}

type Ending = Pick<DispatchedRun, "state" | "words"> & Pick<Partial<DispatchedRun>, "outcome">;

/** Ends a run: comments, saves and releases its claim. */
export async function endRun(parts: RunParts, run: DispatchedRun, ending: Ending): Promise<void> {
  const ended = { ...run, ...ending, changed_at: parts.clock.now() };
  await reportRun(parts, ended);
  await saveRun(parts.notes, ended);
  // If this is interrupted, the next recheck repeats it.
  await releaseRunClaim(parts, ended);
}

/** Comments the status of a run in its issue. */
export async function reportRun(parts: RunParts, run: DispatchedRun): Promise<void> {
  await reportProgress(await commenterFor(parts, run.place), run);
}
