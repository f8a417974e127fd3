import { createHash } from "node:crypto";
import type { Place } from "../access/place.ts";
import type { Job, JobData, PublishTask } from "./job.ts";

/** A job for the queue: `id` is a UUID, jobs of one `group` run one at a time, `startAt` is in milliseconds since 1970. */
export type NewJob = Job & { id: string; group: string; startAt?: number };

/** The queue as its producers see it: it accepts only jobs of a known kind with matching data. */
export interface JobQueue {
  add(jobs: readonly NewJob[]): Promise<unknown>;
}

type RepositoryJob = Extract<Job, { data: { place: Place } }>;

/** The group of all work in a repository. */
export const workGroup = ({ id }: Pick<Place, "id">): string => `work:${id}`;

export const repositoryJob = (id: string, job: RepositoryJob): NewJob => ({
  ...job,
  id,
  group: workGroup(job.data.place),
});

/** Why a waiting run may start now, and an id of the occasion: the same occasion adds one job. */
export type WakeReason = readonly ["closed" | "resumed" | "over", string | number];

/** Retries the waiting runs of a repository. */
export const wakeJob = (place: Place, reason: WakeReason): NewJob =>
  repositoryJob(jobId("wake", place.id, ...reason), { kind: "wake", data: { place } });

/** Compares a repository's runs with GitHub; the same occasion adds one job. */
export const recheckJob = (place: Place, occasion: string): NewJob =>
  repositoryJob(jobId("recheck", place.id, occasion), { kind: "recheck", data: { place } });

/** Updates the dashboard after another job and clears these boxes. */
export function refreshDashboardJob(
  place: Place,
  after: string,
  cleared: readonly string[] = [],
): NewJob {
  const id = jobId("show", place.id, after, ...cleared);
  return repositoryJob(id, { kind: "show", data: { place, cleared: [...cleared] } });
}

/** The same id for the same attempt of a workflow run. */
const attemptId = (kind: string, { runId, workflow }: PublishTask, ...more: string[]): string =>
  jobId(kind, runId, workflow.run, workflow.attempt, ...more);

/** Publishes the result of a workflow run; the same attempt adds one job. */
export const publishJob = (data: PublishTask): NewJob =>
  repositoryJob(attemptId("publish", data), { kind: "publish", data });

/** The group of a repository's pushes, so that nothing else in the repository waits for them. */
export const pushGroup = ({ id }: Pick<Place, "id">): string => `push:${id}`;

/** Publishes the artifacts of a workflow run in a child process; the same attempt adds one job. */
export const pushJob = (data: JobData["push"]): NewJob => ({
  ...{ id: attemptId("push", data), kind: "push", data, group: pushGroup(data.place) },
});

/** Records the outcome of a publication. */
export const settlementJob = (data: JobData["settle"]): NewJob =>
  repositoryJob(attemptId("settle", data), { kind: "settle", data });

/** Continues the session of a workflow run; another `tick` in the dashboard adds another job. */
export const continueJob = (data: PublishTask, ...tick: string[]): NewJob =>
  repositoryJob(attemptId("continue", data, ...tick), { kind: "continue", data });

/** Answers a comment after the job that carried out its command. */
export const answerJob = (after: string, data: JobData["answer"]): NewJob =>
  repositoryJob(jobId("answer", after), { kind: "answer", data });

/** The same UUID for the same parts, so that two requests for the same thing become one job (F42). */
export function jobId(...parts: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  // Version 8 of RFC 9562: custom bits.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
