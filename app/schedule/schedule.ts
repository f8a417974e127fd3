import type { Place } from "../access/place.ts";
import { jobId } from "../jobs/job-id.ts";
import {
  keepRepository,
  type RepositoryNote,
  readRepository,
} from "../repositories/repository-note.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import type { NewJob } from "../store/queue.ts";
import { dueSlot } from "./due-slot.ts";

/** A slot of a repository's schedule that has come. */
export interface SlotTask {
  place: Place;
  slot: number;
  kind: "due" | "skipped";
}

/** A job for each repository whose schedule has something new; a slot is one job, however often it is found. Pure. */
export function scheduleJobs(repositories: readonly RepositoryNote[], now: number): NewJob[] {
  return repositories.flatMap(({ place, schedule, scheduled_at: last }) => {
    const due = schedule && dueSlot(schedule, { now, last });
    if (!due || due.kind === "none") return [];
    const { repository } = place;
    const data: SlotTask = { place, ...due };
    const id = jobId("schedule", repository, due.kind, due.slot);
    return [{ id, kind: "schedule", group: `work:${repository}`, data }];
  });
}

/**
 * Serves a slot: an autopilot on the newest report nobody has worked on. What the default branch says by now counts.
 * Remembered at the end, so that a slot whose service was cut short is served to its end.
 */
export async function serveSlot(
  parts: RunParts,
  { id, task: { place, slot, kind } }: { id: string; task: SlotTask },
): Promise<void> {
  const schedule = (await parts.access.config(place))?.autopilot.schedule;
  if (kind === "due" && schedule) await startRun(parts, { id, place, start: scheduled });
  const note = await readRepository(parts.notes, place);
  await keepRepository(parts, { ...note, scheduled_at: slot });
}

/** Nobody has asked for it but the configuration. */
const scheduled: Start = {
  command: "autopilot",
  item: "reports",
  trigger: "schedule",
  asker: { sender: undefined },
};
