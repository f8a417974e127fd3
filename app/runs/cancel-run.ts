import type { Place } from "../access/place.ts";
import type { Notes } from "../store/notes.ts";
import { cancelWorkflow } from "./cancel-workflow.ts";
import { type DispatchedRun, findRun, isOpen } from "./dispatched-run.ts";
import { endRun } from "./end-run.ts";
import type { RunParts } from "./run-parts.ts";

const dropped = {
  state: "refused",
  words: "Somebody has taken it off the list.",
} as const;

const stopped = {
  state: "done",
  words: "Somebody has stopped it while it waited to go on.",
} as const;

const unbegun = {
  state: "refused",
  words: "Somebody has stopped it before it began.",
} as const;

/**
 * Stops a run: its workflow is cancelled, also one nobody has told us of yet, and one that waits or has not begun is over
 * at once. False: there is nothing to stop.
 */
export async function cancelRun(parts: RunParts, run: DispatchedRun): Promise<boolean> {
  const { state, waits_until: until, goes_on, workflow, place } = run;
  if (state === "waiting" || (state === "publishing" && until !== undefined)) {
    await endRun(parts, run, state === "waiting" && !goes_on ? dropped : stopped);
    return true;
  }
  if (!isOpen(run)) return false;
  // What has passed is published; nothing goes on after that.
  if (state === "publishing") return wish(parts, run);
  if (workflow) await cancelWorkflow(await parts.access.github(place), workflow.run);
  else await stopUnseen(parts, run);
  return true;
}

/** GitHub may have started a workflow although its answer was lost, so that it is looked out for in any case. */
async function stopUnseen(parts: RunParts, run: DispatchedRun): Promise<void> {
  await wish(parts, run);
  if (run.state === "claimed") await endRun(parts, run, unbegun);
}

async function wish({ notes, clock }: RunParts, { id, place }: DispatchedRun): Promise<true> {
  const { repository } = place;
  await notes.put({ kind: "cancel", id, repository, at: clock.now(), data: {} });
  return true;
}

/** Whether somebody has wanted a run to be stopped while nothing of it could be cancelled. */
export const isCancelRequested = async (
  notes: Notes,
  { id }: Pick<DispatchedRun, "id">,
): Promise<boolean> => (await notes.get("cancel", id)) !== undefined;

/** Workflows that were asked for come up sooner. */
const forgottenMs = 24 * 60 * 60_000;
const mostWishes = 100;

/** Cancels what somebody has wanted to be stopped before its workflow was known. */
export async function cancelPending(parts: RunParts, place: Place): Promise<void> {
  const { notes, access } = parts;
  const { repository } = place;
  const wishes = await notes.list({
    kind: "cancel",
    repositories: [repository],
    limit: mostWishes,
  });
  for (const { id, at } of wishes) {
    const run = await findRun(notes, { id, repository });
    const seen = run && isOpen(run) && run.state !== "publishing" ? run.workflow : undefined;
    if (seen) await cancelWorkflow(await access.github(place), seen.run);
    const isOver = !run || (!isOpen(run) && (run.workflow || at < parts.clock.now() - forgottenMs));
    if (seen || isOver) await notes.remove("cancel", id);
  }
}
