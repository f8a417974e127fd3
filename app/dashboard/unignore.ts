import type { GitHub } from "../../src/github/api/create-github.ts";
import { sendAgain } from "../../src/github/api/create-once.ts";
import { markerOf, type Pull } from "../../src/github/pulls/pull.ts";
import { renderPullMarker } from "../../src/views/pull-request/pull-marker.ts";
import type { Place } from "../access/place.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { readPull } from "../pulls/read-pull.ts";
import { type DispatchedRun, listRuns, saveRun } from "../runs/dispatched-run.ts";
import type { Commenter } from "../runs/progress-comment.ts";
import type { RunParts } from "../runs/run-parts.ts";

const words = "The item was allowed again, so it may be chosen once more.";

/**
 * Allows an item again whose pull request was closed: removes the pull request's marker, by which analyses recognise the
 * item, and the rejection in the notes.
 */
export async function unignore(
  parts: RunParts,
  { place, commenter }: { place: Place; commenter: Commenter },
  run: DispatchedRun,
): Promise<NewJob[]> {
  for (const each of await rejectedWith(parts, { place, run })) {
    if (each.pull) await removeMarker(commenter, each.pull.number);
    const { outcome: _, ...allowed } = each;
    await saveRun(parts.notes, { ...allowed, words, changed_at: parts.clock.now() });
  }
  return [];
}

/** All rejected runs of the same issue; a run without an issue counts alone. */
async function rejectedWith(
  { notes }: RunParts,
  { place, run }: { place: Place; run: DispatchedRun },
): Promise<DispatchedRun[]> {
  const runs = await listRuns(notes, { repositories: [place.repository] });
  const { item, issue } = run.request;
  const isSame = ({ id, request }: DispatchedRun) =>
    id === run.id || (issue !== undefined && issue === request.issue && item === request.item);
  return runs.filter((each) => each.outcome === "rejected" && isSame(each));
}

async function removeMarker({ github, self, clock }: Commenter, number: number): Promise<void> {
  const pull = await readPull(github, number);
  const marker = markerOf(pull, self);
  if (!marker || pull.state === "open" || pull.merged_at) return;
  const body = (pull.body ?? "").replaceAll(renderPullMarker(marker), "").trimEnd();
  await sendAgain(clock, () => changeBody(github, pull, `${body}\n`));
}

const changeBody = (github: GitHub, { number }: Pull, body: string) =>
  github.ask({
    route: "PATCH /repos/{owner}/{repo}/pulls/{pull_number}",
    parameters: { pull_number: number, body },
    purpose: {
      act: `allow the item of #${number} again`,
      permission: "pull-requests: write",
      reason: "pr",
    },
  });
