import type { Place } from "../access/place.ts";
import type { NewJob } from "../store/queue.ts";
import { jobId } from "./job-id.ts";

/** What may have made room for a run that waits, and when; the same occasion is one job. */
export type Occasion = readonly ["closed" | "resumed" | "over", string | number];

/** A look at what waits in a repository. */
export function wakeJob(place: Place, occasion: Occasion): NewJob {
  const { repository } = place;
  const id = jobId("wake", repository, ...occasion);
  return { id, kind: "wake", group: `work:${repository}`, data: { place } };
}

/** A second look at a repository; the same occasion is one job. */
export function recheckJob(place: Place, occasion: string): NewJob {
  const { repository } = place;
  const id = jobId("recheck", repository, occasion);
  return { id, kind: "recheck", group: `work:${repository}`, data: { place } };
}

/** Brings the dashboard issue of a repository up to date. */
export interface ShowTask {
  place: Place;
  /** Marks of the boxes that have been dealt with; all others stay as they are. */
  cleared: readonly string[];
}

/** The job for it; what made it necessary is one job. */
export function showJob(place: Place, after: string, cleared: readonly string[] = []): NewJob {
  const { repository } = place;
  const data: ShowTask = { place, cleared };
  const id = jobId("show", repository, after, ...cleared);
  return { id, kind: "show", group: `work:${repository}`, data };
}

/** A finished workflow whose result is to be published. */
export interface PublishTask {
  place: Place;
  runId: string;
  workflow: { run: number; attempt: number };
}
