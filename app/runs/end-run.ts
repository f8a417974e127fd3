import { releaseClaim } from "../../src/github/claims/claim.ts";
import { type DispatchedRun, saveRun } from "./dispatched-run.ts";
import { reportProgress } from "./progress-comment.ts";
import type { RunParts } from "./run-parts.ts";

/** Gives a run's claim back to everybody, and forgets it. */
export async function releaseRunClaim(parts: RunParts, run: DispatchedRun): Promise<DispatchedRun> {
  const { claim, ...released } = run;
  if (!claim) return run;
  const github = await parts.access.github(run.place);
  await releaseClaim({ github, clock: parts.clock }, claim);
  await saveRun(parts.notes, released);
  return released;
}

type Ending = Pick<DispatchedRun, "state" | "words"> & Pick<Partial<DispatchedRun>, "outcome">;

/** Ends a run that comes to nothing any more: it is told, and its item is free. */
export async function endRun(parts: RunParts, run: DispatchedRun, ending: Ending): Promise<void> {
  const ended = { ...run, ...ending, changed_at: parts.clock.now() };
  await reportRun(parts, ended);
  await saveRun(parts.notes, ended);
  // What is cut short here is done by the next second look.
  await releaseRunClaim(parts, ended);
}

/** Says in its issue how a run stands. */
export async function reportRun({ access, clock }: RunParts, run: DispatchedRun): Promise<void> {
  const github = await access.github(run.place);
  await reportProgress({ github, self: await access.self(run.place), clock }, run);
}
