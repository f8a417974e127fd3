import { createWorkRequest } from "../../src/schema/work-request.ts";
import type { JobData } from "../jobs/job.ts";
import { jobId } from "../jobs/job-id.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { repositoryJob } from "../jobs/new-job.ts";
import {
  type RepositoryNote,
  readRepository,
  saveRepository,
} from "../repositories/repository-note.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import { dueSlot } from "./due-slot.ts";

/** A job for each repository with a new slot; the same slot adds one job. Pure. */
export function scheduleJobs(repositories: readonly RepositoryNote[], now: number): NewJob[] {
  return repositories.flatMap(({ place, schedule, scheduled_at: last }) => {
    const due = schedule && dueSlot(schedule, { now, last });
    if (!due || due.kind === "none") return [];
    const { repository } = place;
    const id = jobId("schedule", repository, due.kind, due.slot);
    return [repositoryJob(id, { kind: "schedule", data: { place, ...due } })];
  });
}

/**
 * Serves a slot: starts an autopilot on the newest unprocessed report, if the default branch still has a schedule. The
 * slot is marked as served at the end, so that an interrupted one is repeated.
 */
export async function serveSlot(
  parts: RunParts,
  { id, task: { place, slot, kind } }: { id: string; task: JobData["schedule"] },
): Promise<void> {
  const schedule = (await parts.access.config(place))?.autopilot.schedule;
  if (kind === "due" && schedule) await startRun(parts, { id, place, start: scheduled });
  const note = await readRepository(parts.notes, place);
  await saveRepository(parts, { ...note, scheduled_at: slot });
}

/** A request without an actor: only the configuration asks for it. */
const scheduled: Start = {
  request: createWorkRequest({ command: "autopilot", item: "reports", trigger: "schedule" }),
};
