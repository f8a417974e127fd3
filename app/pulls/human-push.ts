import { markerOf } from "../../src/github/pulls/pull.ts";
import type { JobData } from "../jobs/job.ts";
import { cancelWorkflow } from "../runs/cancel-run.ts";
import { isOpen, saveRun } from "../runs/dispatched-run.ts";
import { reportRun } from "../runs/end-run.ts";
import { commenterFor, upsertMarkedComment } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { findRunOfPull, readPull } from "./read-pull.ts";

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
  const commenter = await commenterFor(parts, place);
  const { github, self } = commenter;
  const pull = await readPull(github, number);
  if (pull.state !== "open" || !markerOf(pull, self)) return;
  await upsertMarkedComment(commenter, {
    issue: number,
    marker: stoppedMarker(number),
    body: `${takenOver}\n`,
  });
  const { repository } = place;
  const run = await findRunOfPull(parts.notes, { repository, pull: number });
  if (!run || run.outcome) return;
  if (isOpen(run) && run.workflow) await cancelWorkflow(github, run.workflow.run);
  const words = `Someone else has pushed to pull request #${number}, so ralph has stopped there.`;
  const stopped = {
    ...{ ...run, outcome: "taken-over" as const, words },
    changed_at: parts.clock.now(),
  };
  await reportRun(parts, stopped);
  await saveRun(parts.notes, stopped);
}
