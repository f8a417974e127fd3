import { escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { PublishTask } from "../jobs/job.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import { type DispatchedRun, isOpen, saveRun } from "../runs/dispatched-run.ts";
import { endRun, type RunEnd } from "../runs/end-run.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** Ends a run whose workflow run left a result; a person's decision about its pull request outweighs it. */
export async function endPublication(
  parts: RunParts,
  { run, task }: { run: DispatchedRun; task: PublishTask },
  { words: message, ending }: Omit<RunEnd, "state">,
): Promise<NewJob[]> {
  const words = run.outcome && run.words ? run.words : escapeWords(message);
  await endRun(parts, run, { state: "done", words, ending });
  return [overJob(task)];
}

/** Names from bundles, artifacts and jobs must not act in a comment (T02, T10). */
export const escapeWords = (message: string) => escapeMarkdown(plainLine(message, 1500));

/** Another run may have waited for this one to end. */
export const overJob = ({ place, runId, workflow: { run, attempt } }: PublishTask) =>
  wakeJob(place, ["over", `${runId}:${run}:${attempt}`]);

/** Whether this attempt was published before, except perhaps for the last step. */
export const wasPublished = (run: DispatchedRun, { workflow: { run: id, attempt } }: PublishTask) =>
  !isOpen(run) && run.workflow?.run === id && run.workflow.attempt >= attempt;

/** Saves a changed run with the time of the change. */
export async function saveChange(parts: RunParts, changed: DispatchedRun): Promise<DispatchedRun> {
  const run = { ...changed, changed_at: parts.clock.now() };
  await saveRun(parts.notes, run);
  return run;
}
