import { markerOf } from "../../src/github/pulls/pull.ts";
import type { JobData } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { wakeJob } from "../jobs/new-job.ts";
import { saveRun } from "../runs/dispatched-run.ts";
import { reportRun } from "../runs/end-run.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { findRunOfPull, readPull } from "./read-pull.ts";

/**
 * Remembers what people made of a pull request of ours. One that was closed without a merge rejects its item: its marker
 * says so to whoever chooses work, the note to labels. Either way there is room for what waits.
 */
export async function handlePullClosed(
  parts: RunParts,
  { id, place, pull: number }: { id: string } & JobData["pull-closed"],
): Promise<NewJob[]> {
  const pull = await readPull(await parts.access.github(place), number);
  const isOurs = markerOf(pull, await parts.access.self(place)) !== undefined;
  if (pull.state === "open" || !isOurs) return [];
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
    `Pull request #${pull} was closed without a merge, so nothing works on this again by itself. To have it done after all, say in the issue's text what is to be different, then write \`/ralph run\`.`,
};
