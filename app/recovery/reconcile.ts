import type { Place } from "../access/place.ts";
import type { JobTask } from "../jobs/job.ts";
import { jobId, type NewJob, recheckJob } from "../jobs/new-job.ts";
import { listNamedRepositories, listRepositories } from "../repositories/repository-note.ts";
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
export async function reconcile({ notes }: RunParts, { id }: JobTask<"sweep">): Promise<NewJob[]> {
  const repositories = await listRepositories(notes);
  const named = await listNamedRepositories(notes);
  return [
    redeliverJob(id),
    ...named.map((each) => adoptJob(each, id)),
    ...repositories.map(({ place }) => recheckJob(place, id)),
  ];
}

/** Rechecks the known repositories of an installation, also those that were out of reach. */
export async function recheckInstallation(
  { notes }: RunParts,
  { id, data: { installation } }: JobTask<"reinstalled">,
): Promise<NewJob[]> {
  const known = await listRepositories(notes, { withGone: true });
  const own = known.filter(({ place }) => place.installation === installation);
  return own.map(({ place }) => recheckJob(place, id));
}

type Named = Omit<Place, "id">;

/** The group that version 1 of the store gave to the jobs of a repository. */
export const namedGroup = ({ repository }: Named): string => `work:${repository}`;

function adoptJob(named: Named, occasion: string): NewJob {
  const id = jobId("adopt", named.repository, occasion);
  return { id, kind: "adopt", group: namedGroup(named), data: { named } };
}

/** Recovers some lost deliveries; the rest is a job of its own. */
export async function redeliver(
  { access, notes, clock }: RunParts,
  { id }: JobTask<"redeliver">,
): Promise<NewJob[]> {
  const isMore = await redeliverLost({ access, notes, clock });
  return isMore ? [redeliverJob(id)] : [];
}

function redeliverJob(after: string): NewJob {
  return { id: jobId("redeliver", after), kind: "redeliver", group: "redeliver", data: {} };
}
