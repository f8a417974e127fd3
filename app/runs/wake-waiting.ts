import type { Place } from "../access.ts";
import type { NewJob } from "../store/queue.ts";
import { jobId } from "../triggers/job-id.ts";
import { startOf } from "./new-run.ts";
import { findRun, listRuns, type RunNote } from "./run-note.ts";
import { type RunParts, startRun } from "./start-run.ts";

/** What may have made room for a run that waits, and when; the same occasion is one job. */
export type Occasion = readonly ["closed" | "resumed" | "over", string | number];

/** A look at what waits in a repository. */
export function wakeJob(place: Place, occasion: Occasion): NewJob {
  const { repository } = place;
  const id = jobId("wake", repository, ...occasion);
  return { id, kind: "wake", group: `work:${repository}`, data: { place } };
}

/** The runs that wait, whoever asked first comes first. Pure. */
export function dueRuns(runs: readonly RunNote[]): RunNote[] {
  return runs
    .filter(({ state }) => state === "waiting")
    .toSorted((one, other) => one.started_at - other.started_at);
}

/**
 * Starts what waits, one after the other, until one must wait for room: the others wait for
 * the same. Each keeps its id, whatever made us look again.
 */
export async function wakeWaiting(parts: RunParts, place: Place): Promise<void> {
  const { repository } = place;
  const runs = await listRuns(parts.notes, { repositories: [repository] });
  for (const { id, ...run } of dueRuns(runs)) {
    const start = startOf({ id, ...run });
    if (!start) continue;
    await startRun(parts, { id, place, start });
    const now = await findRun(parts.notes, { id, repository });
    if (now?.state === "waiting" && now.waits_for === "room") return;
  }
}
