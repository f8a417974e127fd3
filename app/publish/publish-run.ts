import { RalphError } from "../../src/error.ts";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { escapeMarkdown } from "../../src/text/escape-markdown.ts";
import { plainLine } from "../../src/text/plain-text.ts";
import type { PublishTask } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { wakeJob } from "../jobs/new-job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import { isCancelRequested } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun, isOpen, saveRun } from "../runs/dispatched-run.ts";
import { endRun, releaseRunClaim } from "../runs/end-run.ts";
import { findArtifacts, type RunArtifacts } from "../runs/find-artifacts.ts";
import { expectedWorkflow, syncWithWorkflow } from "../runs/follow-workflow.ts";
import { type RunParts, workflowFile } from "../runs/run-parts.ts";
import { readJobs, readWorkflow, runIdOf, type WorkflowFacts } from "../runs/workflow-facts.ts";
import { retryPolicy } from "../store/queue.ts";
import type { ChildRequest } from "./child-request.ts";
import { scheduleContinuation, stoppedMessage } from "./continue-workflow.ts";
import { reclaimItem } from "./reclaim.ts";
import { type ChildEnd, type ChildLimits, type ChildParts, publishInChild } from "./run-child.ts";
import { unpublishedReason } from "./unpublished-reason.ts";

export interface PublishParts extends RunParts {
  publisher: ChildParts & {
    apiUrl: string;
    serverUrl: string;
    /** Absolute; each publication has a folder in it as long as it takes. */
    folder: string;
    limits?: Partial<ChildLimits>;
  };
}

/** Longer than a child may take. */
const leaseMs = 45 * 60_000;
/** A child that does not come to its end has another try: it may have been the machine. */
const brokenTries = 2;

type Asked = { task: PublishTask; attempt: number };

/**
 * Publishes what the workflow of a run has left: facts are read again, the item is taken back, and a child does the rest.
 * Killed anywhere and done again it comes to one pull request, one comment and an item that is free. Answers what follows.
 */
export async function publishRun(parts: PublishParts, { task, attempt }: Asked): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const known = await findRun(parts.notes, { id: runId, repository: place.repository });
  if (!known || (known.after ?? 0) >= workflow.run) return [];
  const github = await parts.access.github(place);
  const facts = await unlessDeleted(readWorkflow(github, workflow.run));
  if (!facts) {
    await endRun(parts, known, { state: "done", words: deleted });
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
  const { waits_until: _, ...begun } = known;
  const run = await keep(parts, {
    ...begun,
    state: "publishing",
    workflow: { ...workflow, url: facts.html_url },
  });
  return publishOwn(parts, { github, run, facts, task, attempt });
}

const deleted = "Its workflow run was deleted, and with it what the run came to.";

async function unlessDeleted(facts: Promise<WorkflowFacts>): Promise<WorkflowFacts | undefined> {
  try {
    return await facts;
  } catch (error) {
    if (httpStatusOf(error) === 404) return undefined;
    throw error;
  }
}

/** Whether all of this was done before, but for what comes last. */
const isEnded = ({ state, workflow }: DispatchedRun, { workflow: asked }: PublishTask) =>
  !isOpen({ state } as DispatchedRun) &&
  workflow?.run === asked.run &&
  workflow.attempt >= asked.attempt;

async function keep(parts: RunParts, changed: DispatchedRun): Promise<DispatchedRun> {
  const run = { ...changed, changed_at: parts.clock.now() };
  await saveRun(parts.notes, run);
  return run;
}

type Here = Asked & { github: GitHub; run: DispatchedRun; facts: WorkflowFacts };

async function publishOwn(parts: PublishParts, here: Here): Promise<NewJob[]> {
  const { github, run: unclaimed, facts, task } = here;
  const taken = await reclaimItem(parts, { github, run: unclaimed, leaseMs });
  if (taken.kind === "twin") {
    return syncWithWorkflow(parts, { github, run: unclaimed, facts: taken.facts });
  }
  if (taken.kind === "foreign") return end(parts, here, taken.words);
  const run = await keep(parts, { ...unclaimed, claim: taken.claim });
  const jobs = await readJobs(github, task.workflow);
  const left = await orWords(findArtifacts(github, task.workflow));
  if (typeof left === "string") return end(parts, { ...here, run }, left);
  const why = unpublishedReason({ facts, jobs, left });
  if (why !== undefined || !left.session) return end(parts, { ...here, run }, why ?? "");
  const request = await requestFor(parts, {
    ...here,
    run,
    left,
    isProved: jobs.cleanRoom === "proved",
  });
  const result = await publishInChild(parts.publisher, request, parts.publisher.limits);
  return settle(parts, { ...here, run }, result);
}

/** An artifact that is gone or is none of ours is told; what GitHub refuses for now is tried again. */
async function orWords(left: Promise<RunArtifacts>): Promise<RunArtifacts | string> {
  try {
    return await left;
  } catch (error) {
    if (!(error instanceof RalphError) || httpStatusOf(error) !== undefined) throw error;
    return `${error.message} ${error.remedy}`;
  }
}

type Given = Here & { left: RunArtifacts; isProved: boolean };

async function requestFor(
  { access, publisher }: PublishParts,
  { run, facts, left: { session, proof }, isProved }: Given,
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

async function settle(parts: PublishParts, here: Here, result: ChildEnd): Promise<NewJob[]> {
  switch (result.kind) {
    case "published":
      return conclude(parts, here, result);
    case "refused":
      // The next attempt has a new token (F51).
      if ((result.isPassing || result.isUnauthorized) && here.attempt < retryPolicy.attempts) {
        throw new Error(result.words);
      }
      return end(parts, here, `Nothing more was published: ${result.words}`);
    case "broken":
      if (here.attempt < brokenTries) throw new Error(result.words);
      return end(parts, here, result.words);
    case "cancelled":
      throw new Error("Publishing was stopped.");
  }
}

async function conclude(
  parts: PublishParts,
  here: Here,
  { words, pull, figures, continuation }: Extract<ChildEnd, { kind: "published" }>,
): Promise<NewJob[]> {
  const run = await keep(parts, {
    ...here.run,
    words: forPeople(words),
    ...(pull && { pull }),
    ...(figures && { tasks: { passed: figures.passed, total: figures.total } }),
    ...(figures?.cost_usd !== undefined && { cost_usd: figures.cost_usd }),
  });
  if (continuation?.kind === "again" || continuation?.kind === "wait") {
    if (await isCancelRequested(parts.notes, run))
      return end(parts, { ...here, run }, stoppedMessage(run));
    return scheduleContinuation(parts, { ...here, run, continuation });
  }
  const more = continuation ? ` ${continuation.why}` : "";
  return end(parts, { ...here, run }, `${words}${more}`);
}

async function end(parts: PublishParts, { run, task }: Here, words: string): Promise<NewJob[]> {
  // What a person has done to it meanwhile says more.
  const told = run.outcome && run.words ? run.words : forPeople(words);
  await endRun(parts, run, { state: "done", words: told });
  return [overJob(task)];
}

/** Names in it come from bundles, artifacts and jobs: nothing of them acts in a comment (T02, T10). */
const forPeople = (words: string) => escapeMarkdown(plainLine(words, 1500));

/** Somebody may have waited for this run to end. */
const overJob = ({ place, runId, workflow: { run, attempt } }: PublishTask) =>
  wakeJob(place, ["over", `${runId}:${run}:${attempt}`]);
