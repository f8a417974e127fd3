import { jobId } from "../jobs/job-id.ts";
import { type NewJob, recheckJob } from "../jobs/new-job.ts";
import { listRepositories } from "../repositories/repository-note.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { scheduleJobs } from "../schedule/schedule.ts";
import { redeliverLost } from "./recover-deliveries.ts";

/** Every minute: the schedules of all repositories that are due. */
export async function tick({ notes, clock }: RunParts): Promise<NewJob[]> {
  return scheduleJobs(await listRepositories(notes), clock.now());
}

/**
 * At the start and every hour: rechecks every repository and recovers lost deliveries. The first hour of a day also
 * resumes runs that waited for it.
 */
export async function reconcile({ notes }: RunParts, id: string): Promise<NewJob[]> {
  const repositories = await listRepositories(notes);
  return [redeliverJob(id), ...repositories.map(({ place }) => recheckJob(place, id))];
}

/** Recovers some lost deliveries; the rest is a job of its own. */
export async function redeliver({ access, notes, clock }: RunParts, id: string): Promise<NewJob[]> {
  const isMore = await redeliverLost({ access, notes, clock });
  return isMore ? [redeliverJob(id)] : [];
}

function redeliverJob(after: string): NewJob {
  return { id: jobId("redeliver", after), kind: "redeliver", group: "redeliver", data: {} };
}
