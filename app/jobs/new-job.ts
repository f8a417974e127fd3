import type { Place } from "../access/place.ts";
import type { Job, JobData, PublishTask } from "./job.ts";
import { jobId } from "./job-id.ts";

/** A job for the queue. `id` is a UUID, `group` names the jobs that run one at a time, `startAt` is milliseconds since 1970. */
export type NewJob = Job & { id: string; group: string; startAt?: number };

/** The part of the queue that takes jobs: only jobs whose kind and data are known. */
export interface JobQueue {
  add(jobs: readonly NewJob[]): Promise<unknown>;
}

type RepositoryJob = Extract<Job, { data: { place: Place } }>;

/** All work of a repository is one group. */
export const workGroup = ({ repository }: Place): string => `work:${repository}`;

export const repositoryJob = (id: string, job: RepositoryJob): NewJob => ({
  ...job,
  id,
  group: workGroup(job.data.place),
});

/** What may have made room for a run that waits, and when; the same occasion is one job. */
export type WakeReason = readonly ["closed" | "resumed" | "over", string | number];

/** A look at what waits in a repository. */
export const wakeJob = (place: Place, occasion: WakeReason): NewJob =>
  repositoryJob(jobId("wake", place.repository, ...occasion), { kind: "wake", data: { place } });

/** A second look at a repository; the same occasion is one job. */
export const recheckJob = (place: Place, occasion: string): NewJob =>
  repositoryJob(jobId("recheck", place.repository, occasion), { kind: "recheck", data: { place } });

/** Brings the dashboard up to date after another job; `cleared`: boxes that are done. */
export function refreshDashboardJob(
  place: Place,
  after: string,
  cleared: readonly string[] = [],
): NewJob {
  const id = jobId("show", place.repository, after, ...cleared);
  return repositoryJob(id, { kind: "show", data: { place, cleared: [...cleared] } });
}

/** Publishes what the workflow of a run has left; the same attempt is one job. */
export function publishJob(data: PublishTask): NewJob {
  const { run, attempt } = data.workflow;
  return repositoryJob(jobId("publish", data.runId, run, attempt), { kind: "publish", data });
}

/** Continues the session of a workflow; `tick` tells apart people who ask for it again. */
export function continueJob(data: PublishTask, tick?: string): NewJob {
  const { run, attempt } = data.workflow;
  const id = jobId("continue", data.runId, run, attempt, ...(tick === undefined ? [] : [tick]));
  return repositoryJob(id, { kind: "continue", data });
}

/** Answers a comment after the job that did what it says. */
export const answerJob = (after: string, data: JobData["answer"]): NewJob =>
  repositoryJob(jobId("answer", after), { kind: "answer", data });
