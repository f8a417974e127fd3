import type { JobData } from "../jobs/job.ts";
import { type NewJob, settlementJob } from "../jobs/new-job.ts";
import type { ChildRequest, PushEnd } from "../jobs/publication.ts";
import { workflowFile } from "../runs/dispatch-workflow.ts";
import { findRun } from "../runs/dispatched-run.ts";
import { openSite } from "../runs/run-parts.ts";
import { saveReport } from "../runs/run-report.ts";
import { retryPolicy } from "../store/queue.ts";
import type { PublishParts } from "./publish-run.ts";
import { pushLeaseMs, reclaimItem } from "./reclaim.ts";
import { type ChildEnd, publishInChild } from "./run-child.ts";

/** A child that breaks is retried once: the machine may have been the cause. */
const maxBrokenAttempts = 2;

type Pushing = { data: JobData["push"]; attempt: number };

/**
 * Publishes a session in a child process, which may take long; it changes nothing in the App's record of the run, so that
 * other jobs of the repository may run beside it. Its result is a job of its own.
 */
export async function pushSession(
  parts: PublishParts,
  { data, attempt }: Pushing,
): Promise<NewJob[]> {
  const { place, runId, workflow } = data;
  if (!(await isStillOurs(parts, { data, attempt }))) {
    return [settlementJob({ place, runId, workflow, end: { kind: "unclaimed" } })];
  }
  const request = await requestFor(parts, data);
  const result = await publishInChild(parts.publisher, request, parts.publisher.limits);
  const { report, tasks = [] } = result.kind === "published" ? result : {};
  if (report !== undefined) await saveReport(parts, { place, run: runId, html: report, tasks });
  return [settlementJob({ place, runId, workflow, end: endOf(result, attempt) })];
}

/** The item was claimed a moment ago; after an interruption or a long wait it is claimed again. */
async function isStillOurs(parts: PublishParts, { data, attempt }: Pushing): Promise<boolean> {
  const { place, runId, push } = data;
  const isFresh = parts.clock.now() - push.claimed_at < pushLeaseMs / 3;
  if (attempt === 1 && isFresh) return true;
  const run = await findRun(parts.notes, { id: runId, place });
  if (!run) return false;
  const reclaimed = await reclaimItem(await openSite(parts, place), run, pushLeaseMs);
  return reclaimed.kind === "ours";
}

async function requestFor(
  { access, publisher }: PublishParts,
  { place, workflow, push }: JobData["push"],
): Promise<Omit<ChildRequest, "folder">> {
  const { session, proof, isProved, succeeded, url } = push;
  return {
    apiUrl: publisher.apiUrl,
    serverUrl: publisher.serverUrl,
    repository: place.repository,
    token: await access.freshToken(place),
    workflow: { run: workflow.run, url, file: workflowFile, succeeded },
    session,
    ...(proof && { proof }),
    isProved,
  };
}

/** The final result; throws where another attempt may succeed. */
function endOf(result: ChildEnd, attempt: number): PushEnd {
  switch (result.kind) {
    case "published": {
      const { report: _, tasks: __, ...published } = result;
      return published;
    }
    case "refused":
      // The next attempt gets a new token (F51).
      if ((result.isTemporary || result.isUnauthorized) && attempt < retryPolicy.attempts) {
        throw new Error(result.message);
      }
      return { kind: "failed", message: `Nothing more was published: ${result.message}` };
    case "broken":
      if (attempt < maxBrokenAttempts) throw new Error(result.message);
      return { kind: "failed", message: result.message };
    case "cancelled":
      throw new Error("Publishing was stopped.");
  }
}
