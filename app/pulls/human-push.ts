import { markerOf } from "../../src/github/pulls/pull.ts";
import type { JobData } from "../jobs/job.ts";
import { cancelWorkflow } from "../runs/cancel-workflow.ts";
import { isOpen, saveRun } from "../runs/dispatched-run.ts";
import { reportRun } from "../runs/end-run.ts";
import { type Commenter, upsertMarkedComment } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { findRunOfPull, readPull } from "./read-pull.ts";

const stoppedMarker = (pull: number) => `<!-- ralph:stopped:${pull} -->`;

const words =
  "Somebody else has pushed to this branch, so it is theirs now: ralph pushes nothing to it any more. To have it done anew, close this pull request, say in the issue's text what is to be different, and write `/ralph run` there.";

/**
 * Somebody else's commit in a pull request of ours stops us (design 6), and is told once. A workflow that still works on
 * it is cancelled: what it came to could not be pushed any more, and would only cost money.
 */
export async function handleHumanPush(
  parts: RunParts,
  { place, pull: number }: JobData["human-push"],
): Promise<void> {
  const github = await parts.access.github(place);
  const speaker: Commenter = { github, self: await parts.access.self(place), clock: parts.clock };
  const pull = await readPull(github, number);
  if (pull.state !== "open" || !markerOf(pull, speaker.self)) return;
  await upsertMarkedComment(speaker, {
    issue: number,
    marker: stoppedMarker(number),
    body: `${words}\n`,
  });
  const { repository } = place;
  const run = await findRunOfPull(parts.notes, { repository, pull: number });
  if (!run || run.outcome) return;
  if (isOpen(run) && run.workflow) await cancelWorkflow(github, run.workflow.run);
  const note = `Somebody else has pushed to pull request #${number}, so ralph has stopped there.`;
  const stopped = {
    ...{ ...run, outcome: "taken-over" as const, words: note },
    changed_at: parts.clock.now(),
  };
  await reportRun(parts, stopped);
  await saveRun(parts.notes, stopped);
}
