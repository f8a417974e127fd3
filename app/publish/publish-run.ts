import { RalphError, type StopReason } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { PublishTask } from "../jobs/job.ts";
import { type NewJob, wakeJob } from "../jobs/new-job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import { isCancelRequested } from "../runs/cancel-run.ts";
import { workflowFile } from "../runs/dispatch-workflow.ts";
import { type DispatchedRun, findRun, isOpen, saveRun } from "../runs/dispatched-run.ts";
import { endRun, type RunEnd, releaseRunClaim } from "../runs/end-run.ts";
import { type Ending, endingOfSession, endingOfWorkflow } from "../runs/ending.ts";
import { findArtifacts, type RunArtifacts } from "../runs/find-artifacts.ts";
import { expectedWorkflow, syncWithWorkflow } from "../runs/follow-workflow.ts";
import type { RunParts } from "../runs/run-parts.ts";
import {
  type JobFacts,
  readJobs,
  readWorkflow,
  runIdOf,
  type WorkflowFacts,
} from "../runs/workflow-facts.ts";
import { retryPolicy } from "../store/queue.ts";
import type { ChildRequest } from "./child-request.ts";
import { scheduleContinuation, stoppedMessage } from "./continue-workflow.ts";
import { reclaimItem } from "./reclaim.ts";
import { type ChildEnd, type ChildLimits, type ChildParts, publishInChild } from "./run-child.ts";

export interface PublishParts extends RunParts {
  publisher: ChildParts & {
    apiUrl: string;
    serverUrl: string;
    /** Absolute; each publication gets a temporary folder in it. */
    folder: string;
    limits?: Partial<ChildLimits>;
  };
}

/** Longer than the child process may take. */
const leaseMs = 45 * 60_000;
/** A child that breaks is retried once: the machine may have been the cause. */
const maxBrokenAttempts = 2;

type Attempt = { task: PublishTask; attempt: number };

/**
 * Publishes the result of a workflow run: reads the facts again, reclaims the item, and leaves the rest to a child process.
 * Killed at any point and repeated, it leads to one pull request, one comment and a released item.
 */
export async function publishRun(
  parts: PublishParts,
  { task, attempt }: Attempt,
): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const known = await findRun(parts.notes, { id: runId, place });
  if (!known || (known.after ?? 0) >= workflow.run) return [];
  const github = await parts.access.github(place);
  const facts = await unlessDeleted(readWorkflow(github, workflow.run));
  if (!facts) {
    await endRun(parts, known, { state: "done", words: deleted, ending: { kind: "lost" } });
    return [overJob(task)];
  }
  const expected = await expectedWorkflow(parts.access, { github, place });
  if (runIdOf(facts, expected) !== runId) {
    throw new PermanentJobError(
      `Workflow run ${workflow.run} does not belong to the run ${runId}.`,
    );
  }
  if (facts.run_attempt !== workflow.attempt || facts.status !== "completed") return [];
  if (isEnded(known, task)) {
    await releaseRunClaim(parts, known);
    return [overJob(task)];
  }
  const { waits_until: _, ...rest } = known;
  const run = await save(parts, {
    ...rest,
    state: "publishing",
    workflow: { ...workflow, url: facts.html_url },
  });
  return publishOwn(parts, { github, run, facts, task, attempt });
}

const deleted = "The workflow run was deleted, and its result with it.";

async function unlessDeleted(facts: Promise<WorkflowFacts>): Promise<WorkflowFacts | undefined> {
  try {
    return await facts;
  } catch (error) {
    if (httpStatusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Whether this attempt was published before, except perhaps for the last step. */
const isEnded = (run: DispatchedRun, { workflow: { run: id, attempt } }: PublishTask) =>
  !isOpen(run) && run.workflow?.run === id && run.workflow.attempt >= attempt;

async function save(parts: RunParts, changed: DispatchedRun): Promise<DispatchedRun> {
  const run = { ...changed, changed_at: parts.clock.now() };
  await saveRun(parts.notes, run);
  return run;
}

type Publishing = Attempt & { github: GitHub; run: DispatchedRun; facts: WorkflowFacts };

async function publishOwn(parts: PublishParts, given: Publishing): Promise<NewJob[]> {
  const { github, run: unclaimed, facts, task } = given;
  const reclaimed = await reclaimItem(parts, { github, run: unclaimed, leaseMs });
  if (reclaimed.kind === "twin") {
    return syncWithWorkflow(parts, { run: unclaimed, facts: reclaimed.facts });
  }
  if (reclaimed.kind === "foreign") {
    return end(parts, given, { words: reclaimed.reason, ending: { kind: "lost" } });
  }
  const run = await save(parts, { ...unclaimed, claim: reclaimed.claim });
  const jobs = await readJobs(github, task.workflow);
  const publishing = { ...given, run };
  const artifacts = await orReason(findArtifacts(github, task.workflow));
  if (typeof artifacts === "string") {
    return end(parts, publishing, { words: artifacts, ending: { kind: "lost" } });
  }
  const unpublished = judgeUnpublished({ facts, jobs, artifacts });
  if (unpublished) return end(parts, publishing, unpublished);
  const isProved = jobs.cleanRoom === "proved";
  const request = await requestFor(parts, { ...publishing, artifacts, isProved });
  const result = await publishInChild(parts.publisher, request, parts.publisher.limits);
  return settle(parts, publishing, result);
}

/** The artifacts, or why they cannot be used; temporary errors are thrown. */
async function orReason(found: Promise<RunArtifacts>): Promise<RunArtifacts | string> {
  try {
    return await found;
  } catch (error) {
    if (!(error instanceof RalphError) || httpStatusOf(error) !== undefined) throw error;
    return `${error.message} ${error.remedy}`;
  }
}

type WithArtifacts = Publishing & { artifacts: RunArtifacts; isProved: boolean };

async function requestFor(
  { access, publisher }: PublishParts,
  { run, facts, artifacts: { session, proof }, isProved }: WithArtifacts,
): Promise<ChildRequest> {
  if (!session) throw new Error("Without a session there is nothing to publish.");
  const { place, id } = run;
  return {
    folder: `${publisher.folder}/${id}`,
    apiUrl: publisher.apiUrl,
    serverUrl: publisher.serverUrl,
    repository: place.repository,
    token: await access.freshToken(place),
    workflow: {
      run: facts.id,
      url: facts.html_url,
      file: workflowFile,
      succeeded: facts.conclusion === "success",
    },
    session,
    ...(proof && { proof }),
    isProved,
  };
}

async function settle(
  parts: PublishParts,
  publishing: Publishing,
  result: ChildEnd,
): Promise<NewJob[]> {
  switch (result.kind) {
    case "published":
      return conclude(parts, publishing, result);
    case "refused":
      // The next attempt gets a new token (F51).
      if (
        (result.isTemporary || result.isUnauthorized) &&
        publishing.attempt < retryPolicy.attempts
      ) {
        throw new Error(result.message);
      }
      return end(parts, publishing, {
        words: `Nothing more was published: ${result.message}`,
        ending: { kind: "failed", in: "publishing" },
      });
    case "broken":
      if (publishing.attempt < maxBrokenAttempts) throw new Error(result.message);
      return end(parts, publishing, {
        words: result.message,
        ending: { kind: "failed", in: "publishing" },
      });
    case "cancelled":
      throw new Error("Publishing was stopped.");
  }
}

async function conclude(
  parts: PublishParts,
  publishing: Publishing,
  {
    message,
    pull,
    figures,
    continuation,
    stop,
    isLowValue,
  }: Extract<ChildEnd, { kind: "published" }>,
): Promise<NewJob[]> {
  const run = await save(parts, {
    ...publishing.run,
    words: escaped(message),
    ...(pull && { pull }),
    ...(figures && { tasks: { passed: figures.passed, total: figures.total } }),
    ...(figures?.cost_usd !== undefined && { cost_usd: figures.cost_usd }),
  });
  if (continuation?.kind === "again" || continuation?.kind === "wait") {
    if (await isCancelRequested(parts.notes, run))
      return end(parts, { ...publishing, run }, { words: stoppedMessage(run), ending: cancelled });
    return scheduleContinuation(parts, { ...publishing, run }, continuation);
  }
  const more = continuation ? ` ${continuation.why}` : "";
  const ending = endingOfSession({
    ...{ stop: stop as StopReason | undefined, isLowValue: isLowValue === true },
    ...{ pull: run.pull, tasks: run.tasks },
  });
  return end(parts, { ...publishing, run }, { words: `${message}${more}`, ending });
}

async function end(
  parts: PublishParts,
  { run, task }: Publishing,
  { words: message, ending }: Omit<RunEnd, "state">,
): Promise<NewJob[]> {
  // A person's decision about the pull request outweighs the result.
  const words = run.outcome && run.words ? run.words : escaped(message);
  await endRun(parts, run, { state: "done", words, ending });
  return [overJob(task)];
}

/** Names from bundles, artifacts and jobs must not act in a comment (T02, T10). */
const escaped = (message: string) => escapeMarkdown(plainLine(message, 1500));

/** Another run may have waited for this one to end. */
const overJob = ({ place, runId, workflow: { run, attempt } }: PublishTask) =>
  wakeJob(place, ["over", `${runId}:${run}:${attempt}`]);

type EndedWorkflow = {
  facts: Pick<WorkflowFacts, "id" | "conclusion">;
  jobs: JobFacts;
  artifacts: Pick<RunArtifacts, "session">;
};

const cancelled: Ending = { kind: "cancelled" };

/** How a finished workflow run without anything to publish ended, and why; undefined if there is something. Pure. */
export function judgeUnpublished({
  facts: { id, conclusion },
  jobs,
  artifacts: { session },
}: EndedWorkflow): Omit<RunEnd, "state"> | undefined {
  const resume = session ? ` To continue, start the workflow with \`resume-from: ${id}\`.` : "";
  if (conclusion === "cancelled") {
    const words = `The workflow was cancelled; nothing was published.${resume}`;
    return { words, ending: cancelled };
  }
  if (jobs.cleanRoom === "refuted") {
    const words =
      "Nothing was published: the clean room, a fresh machine, could not prove the work again.";
    return { words, ending: { kind: "failed", in: "the clean room" } };
  }
  if (session) return undefined;
  const ending = endingOfWorkflow(conclusion, jobs.failed);
  if (!ending) return { words: "There was nothing to work on.", ending: { kind: "nothing-to-do" } };
  const failed =
    jobs.failed.length > 0 ? ` in ${jobs.failed.map((name) => `\`${name}\``).join(", ")}` : "";
  const words = `The workflow ended with ${conclusion ?? "no conclusion"}${failed}, before there was a session to publish.`;
  return { words, ending };
}
