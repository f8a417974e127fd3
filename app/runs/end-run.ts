import { releaseClaim } from "../../src/github/claims/claim.ts";
import { type DispatchedRun, saveRun } from "./dispatched-run.ts";
import type { Ending } from "./ending.ts";
import { commenterFor, reportProgress } from "./progress-comment.ts";
import { recordRun } from "./record-run.ts";
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

/** An ended run's state, the reason in a sentence, and how it ended. */
export type RunEnd = { state: "done" | "refused"; words: string; ending: Ending };

/** Ends a run: comments, saves and releases its claim. */
export async function endRun(parts: RunParts, run: DispatchedRun, end: RunEnd): Promise<void> {
  const by = run.cancelled_by;
  const isCancelled = end.ending.kind === "cancelled" && by !== undefined;
  const ending = isCancelled ? { by, ...end.ending } : end.ending;
  const ended = { ...run, ...end, ending, changed_at: parts.clock.now() };
  await reportRun(parts, ended);
  await saveRun(parts.notes, ended);
  recordRun(parts, "run-ended", ended);
  // If this is interrupted, the next recheck repeats it.
  await releaseRunClaim(parts, ended);
}

/** Comments the status of a run in its issue. */
export async function reportRun(parts: RunParts, run: DispatchedRun): Promise<void> {
  await reportProgress(await commenterFor(parts, run.place), run);
}
