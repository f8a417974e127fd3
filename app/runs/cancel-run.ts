import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import type { Actor } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import type { Notes } from "../store/notes.ts";
import { dayMs } from "./day-totals.ts";
import { type DispatchedRun, findRun, isOpen, saveRun } from "./dispatched-run.ts";
import { endRun, type RunEnd, recordRun, reportRun } from "./end-run.ts";
import type { RunParts } from "./run-parts.ts";

const ending = { kind: "cancelled" } as const;
const removed = { state: "refused", words: "Removed from the waiting list.", ending } as const;
const stoppedWaiting: RunEnd = {
  ...{ state: "done", words: "Stopped while it waited to continue.", ending },
};
const stoppedUnstarted = { state: "refused", words: "Stopped before it began.", ending } as const;

/**
 * Stops a run: cancels its workflow, also one that is not known yet, and ends a run that waits or has not begun. False
 * if there is nothing to stop.
 */
export async function cancelRun(
  parts: RunParts,
  { run: given, by }: { run: DispatchedRun; by: Actor | undefined },
): Promise<boolean> {
  const run = { ...given, ...(by && { cancelled_by: by.login }) };
  recordRun(parts, "cancel-requested", run);
  const { state, waits_until: until, goes_on: continues, workflow, place } = run;
  if (state === "waiting" || (state === "publishing" && until !== undefined)) {
    await endRun(parts, run, state === "waiting" && !continues ? removed : stoppedWaiting);
    return true;
  }
  if (!isOpen(run)) return false;
  await saveRun(parts.notes, run);
  await reportRun(parts, run);
  if (state === "publishing") {
    // The passed tasks are published, but the session does not continue.
    await requestCancel(parts, run);
  } else if (workflow) await cancelWorkflow(await parts.access.github(place), workflow.run);
  else await cancelUnknown(parts, run);
  return true;
}

/** GitHub may have started a workflow although its answer was lost, so the request is kept in any case. */
async function cancelUnknown(parts: RunParts, run: DispatchedRun): Promise<void> {
  await requestCancel(parts, run);
  if (run.state === "claimed") await endRun(parts, run, stoppedUnstarted);
}

async function requestCancel(
  { notes, clock }: RunParts,
  { id, place }: DispatchedRun,
): Promise<void> {
  const repository = String(place.id);
  await notes.put({ kind: "cancel", id, repository, at: clock.now(), data: {} });
}

/** Whether a person asked to stop the run before anything of it could be cancelled. */
export const isCancelRequested = async (
  notes: Notes,
  { id }: Pick<DispatchedRun, "id">,
): Promise<boolean> => (await notes.get("cancel", id)) !== undefined;

/** A dispatched workflow appears much sooner. */
const requestKeptMs = dayMs;
const maxRequests = 100;

/** Cancels workflows that became known after a person asked to stop their runs. */
export async function cancelPending(parts: RunParts, place: Place): Promise<void> {
  const { notes, access } = parts;
  const requests = await notes.list({
    kind: "cancel",
    repositories: [String(place.id)],
    limit: maxRequests,
  });
  const oldest = parts.clock.now() - requestKeptMs;
  for (const { id, at } of requests) {
    const run = await findRun(notes, { id, place });
    const known = run && isOpen(run) && run.state !== "publishing" ? run.workflow : undefined;
    if (known) await cancelWorkflow(await access.github(place), known.run);
    const isOver = !run || (!isOpen(run) && (run.workflow || at < oldest));
    if (known || isOver) await notes.remove("cancel", id);
  }
}

/** Asks GitHub to cancel a workflow run; a finished (409) or deleted one stays as it is. */
export async function cancelWorkflow(github: GitHub, run: number): Promise<void> {
  const asked = github.ask(
    { act: `cancel run ${run}`, permission: "actions: write", reason: "claim" },
    ({ rest }) => rest.actions.cancelWorkflowRun({ ...github.repo, run_id: run }),
  );
  await unlessStatus([404, 409], asked);
}
