import { releaseClaim } from "../../src/github/claims/claim.ts";
import { escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { EventName, RecordEvent } from "../events/recorder.ts";
import type { PublishTask } from "../jobs/job.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import { type DispatchedRun, isOpen, saveRun } from "./dispatched-run.ts";
import type { Ending } from "./ending.ts";
import { reportProgress } from "./progress-comment.ts";
import { openSite, type RunParts } from "./run-parts.ts";
import { statusOf } from "./run-status.ts";

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

export const workflowDeleted: RunEnd = {
  ...{ state: "done", ending: { kind: "lost" } },
  words: "The workflow run was deleted, and its result with it.",
};

/** How to continue the session of a workflow run by hand. */
export const resumeByHand = (run: number): string =>
  `To continue, start the workflow with \`resume-from: ${run}\`.`;

/** Ends a run: comments, saves and releases its claim. */
export async function endRun(parts: RunParts, run: DispatchedRun, end: RunEnd): Promise<void> {
  const by = run.cancelled_by;
  const isCancelled = end.ending.kind === "cancelled" && by !== undefined;
  const ending = isCancelled ? { by, ...end.ending } : end.ending;
  const ended = { ...run, ...end, ending, changed_at: parts.clock.now() };
  await saveEnd(parts, ended);
  // If this is interrupted, the next recheck repeats it.
  await releaseRunClaim(parts, ended);
}

/** Comments on a run and saves it, in this order: an interruption repeats both. */
export async function reportAndSave(parts: RunParts, run: DispatchedRun): Promise<void> {
  await reportRun(parts, run);
  await saveRun(parts.notes, run);
}

/** The same for the end of a run, or for the fate of its pull request. */
export async function saveEnd(parts: RunParts, run: DispatchedRun): Promise<void> {
  await reportAndSave(parts, run);
  recordRun(parts, "run-ended", run);
}

/** Comments the status of a run in its issue. */
export async function reportRun(parts: RunParts, run: DispatchedRun): Promise<void> {
  await reportProgress(await openSite(parts, run.place), run);
}

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

type RunEvent = Extract<EventName, `run-${string}` | "cancel-requested">;

/** Reports an event of a run: who asked, its status, and for its end also cost and time. */
export function recordRun(
  { record }: { record: RecordEvent },
  event: RunEvent,
  run: DispatchedRun,
): void {
  const { id, place, request, words, cost_usd: usd, started_at: from, changed_at: to } = run;
  const { kind, headline } = statusOf(run);
  record(event, {
    ...{ run: id, repository: place.id, name: place.repository, status: kind, headline },
    ...{ item: request.item, trigger: request.trigger, actor: request.actor?.login, reason: words },
    ...(event === "run-ended" && { usd, seconds: Math.round((to - from) / 1000) }),
  });
}
