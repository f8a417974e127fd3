import { cancelWorkflow } from "./cancel-workflow.ts";
import { endRun } from "./end-run.ts";
import { isOpen, type RunNote } from "./run-note.ts";
import type { RunParts } from "./start-run.ts";

const dropped = {
  state: "refused",
  words: "Somebody has taken it off the list.",
} as const;

const stopped = {
  state: "done",
  words: "Somebody has stopped it while it waited for the usage limit of the agent to end.",
} as const;

/** Stops a run: its workflow is cancelled, and one that waits is over at once. False: there is nothing to stop. */
export async function cancelRun(parts: RunParts, run: RunNote): Promise<boolean> {
  const { state, waits_until: until, workflow, place } = run;
  if (state === "waiting" || (state === "publishing" && until !== undefined)) {
    await endRun(parts, run, state === "waiting" ? dropped : stopped);
    return true;
  }
  if (!workflow || !isOpen(run) || state === "publishing") return false;
  await cancelWorkflow(await parts.access.github(place), workflow.run);
  return true;
}
