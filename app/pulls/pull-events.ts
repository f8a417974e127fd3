import type { GitHub } from "../../src/github/api/create-github.ts";
import { markerOf, type Pull } from "../../src/github/pulls/pull.ts";
import type { Place } from "../access/place.ts";
import type { JobData, JobTask } from "../jobs/job.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import { cancelWorkflow } from "../runs/cancel-run.ts";
import { type DispatchedRun, isOpen, listRuns } from "../runs/dispatched-run.ts";
import { saveEnd } from "../runs/end-run.ts";
import { upsertMarkedComment } from "../runs/progress-comment.ts";
import { openSite, type RunParts } from "../runs/run-parts.ts";
import type { Notes } from "../store/notes.ts";

const stoppedMarker = (pull: number) => `<!-- ralph:stopped:${pull} -->`;

const takenOver =
  "Someone else has pushed to this branch, so ralph no longer pushes to it. To start over, close this pull request, describe in the issue what should be different, and write `/ralph run` there.";

/**
 * Stops ralph on a pull request to which someone else has pushed (design 6), and comments that once. Cancels a workflow
 * that still works on it, because its result could no longer be pushed.
 */
export async function handleHumanPush(
  parts: RunParts,
  { place, pull: number }: JobData["human-push"],
): Promise<void> {
  const site = await openSite(parts, place);
  const { github, self } = site;
  const pull = await readPull(github, number);
  if (pull.state !== "open" || !markerOf(pull, self)) return;
  await upsertMarkedComment(site, {
    issue: number,
    marker: stoppedMarker(number),
    body: `${takenOver}\n`,
  });
  const run = await findRunOfPull(parts.notes, { place, pull: number });
  if (!run || run.outcome) return;
  if (isOpen(run) && run.workflow) await cancelWorkflow(github, run.workflow.run);
  const words = `Someone else has pushed to pull request #${number}, so ralph has stopped there.`;
  await saveEnd(parts, { ...run, outcome: "taken-over", words, changed_at: parts.clock.now() });
}

/**
 * Records whether a ralph pull request was merged or rejected. A rejected item is not chosen again: the pull request's
 * marker keeps analyses from it, the note keeps labels from it. Either way there is room for a waiting run.
 */
export async function handlePullClosed(
  parts: RunParts,
  { id, data: { place, pull: number } }: JobTask<"pull-closed">,
): Promise<NewJob[]> {
  const { github, self } = await openSite(parts, place);
  const pull = await readPull(github, number);
  if (pull.state === "open" || !markerOf(pull, self)) return [];
  const run = await findRunOfPull(parts.notes, { place, pull: number });
  if (run) {
    const outcome = pull.merged_at ? "merged" : "rejected";
    const words = wordsOf[outcome](number);
    await saveEnd(parts, { ...run, outcome, words, changed_at: parts.clock.now() });
  }
  return [wakeJob(place, ["closed", id])];
}

const wordsOf = {
  merged: (pull: number) => `Pull request #${pull} was merged.`,
  rejected: (pull: number) =>
    `Pull request #${pull} was closed without a merge, so labels and schedules do not start this again.`,
};

/** Reads a pull request; its event is not trusted (T28). */
export async function readPull(github: GitHub, number: number): Promise<Pull> {
  const { data } = await github.ask(
    { act: `read #${number}`, permission: "pull-requests: read", reason: "pr" },
    ({ rest }) => rest.pulls.get({ ...github.repo, pull_number: number }),
  );
  return data;
}

/** The newest run that has opened or continued a pull request. */
export async function findRunOfPull(
  notes: Notes,
  { place, pull }: { place: Place; pull: number },
): Promise<DispatchedRun | undefined> {
  const runs = await listRuns(notes, { place });
  return runs.find((run) => run.pull?.number === pull);
}
