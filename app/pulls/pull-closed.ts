import { markerOf } from "../../src/github/pulls/pull.ts";
import type { JobData } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { wakeJob } from "../jobs/new-job.ts";
import { saveRun } from "../runs/dispatched-run.ts";
import { reportRun } from "../runs/end-run.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { findRunOfPull, readPull } from "./read-pull.ts";

/**
 * Records whether a ralph pull request was merged or rejected. A rejected item is not chosen again: the pull request's
 * marker keeps analyses from it, the note keeps labels from it. Either way there is room for a waiting run.
 */
export async function handlePullClosed(
  parts: RunParts,
  { id, place, pull: number }: { id: string } & JobData["pull-closed"],
): Promise<NewJob[]> {
  const pull = await readPull(await parts.access.github(place), number);
  const isRalphs = markerOf(pull, await parts.access.self(place)) !== undefined;
  if (pull.state === "open" || !isRalphs) return [];
  const { repository } = place;
  const run = await findRunOfPull(parts.notes, { repository, pull: number });
  if (run) {
    const outcome = pull.merged_at ? "merged" : "rejected";
    const words = wordsOf[outcome](number);
    const next = { ...run, outcome, words, changed_at: parts.clock.now() } as const;
    await reportRun(parts, next);
    await saveRun(parts.notes, next);
  }
  return [wakeJob(place, ["closed", id])];
}

const wordsOf = {
  merged: (pull: number) => `Pull request #${pull} was merged.`,
  rejected: (pull: number) =>
    `Pull request #${pull} was closed without a merge, so labels and schedules do not start this again. To retry it, describe in the issue what should be different, then write \`/ralph run\`.`,
};
