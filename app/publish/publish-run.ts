import { RalphError } from "../../src/error.ts";
import { unlessStatus } from "../../src/github/api/expected-refusals.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { PermanentJobError, type PublishTask } from "../jobs/job.ts";
import { type NewJob, pushJob } from "../jobs/new-job.ts";
import { type DispatchedRun, findRun } from "../runs/dispatched-run.ts";
import {
  endPublication,
  endRun,
  overJob,
  type RunEnd,
  releaseRunClaim,
  resumeByHand,
  saveChange,
  wasPublished,
  workflowDeleted,
} from "../runs/end-run.ts";
import { endingOfWorkflow } from "../runs/ending.ts";
import { findArtifacts, type RunArtifacts } from "../runs/find-artifacts.ts";
import { expectedWorkflow, syncWithWorkflow } from "../runs/follow-workflow.ts";
import { openSite, type RunParts, type Site } from "../runs/run-parts.ts";
import {
  type JobFacts,
  readJobs,
  readWorkflow,
  runIdOf,
  type WorkflowFacts,
} from "../runs/workflow-facts.ts";
import { pushLeaseMs, reclaimItem } from "./reclaim.ts";
import type { ChildLimits, ChildParts } from "./run-child.ts";

export interface PublishParts extends RunParts {
  publisher: ChildParts & {
    apiUrl: string;
    serverUrl: string;
    limits?: Partial<ChildLimits>;
  };
}

/**
 * Publishes the result of a workflow run: reads the facts again, reclaims the item, and leaves the rest to a job beside the
 * others. Killed at any point and repeated, it leads to one pull request, one comment and a released item.
 */
export async function publishRun(parts: PublishParts, task: PublishTask): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const known = await findRun(parts.notes, { id: runId, place });
  if (!known || (known.after ?? 0) >= workflow.run) return [];
  const site = await openSite(parts, place);
  const facts = await unlessStatus([404], readWorkflow(site.github, workflow.run));
  if (!facts) {
    await endRun(parts, known, workflowDeleted);
    return [overJob(task)];
  }
  if (runIdOf(facts, await expectedWorkflow(site)) !== runId) {
    throw new PermanentJobError(
      `Workflow run ${workflow.run} does not belong to the run ${runId}.`,
    );
  }
  if (facts.run_attempt !== workflow.attempt || facts.status !== "completed") return [];
  if (wasPublished(known, task)) {
    await releaseRunClaim(parts, known);
    return [overJob(task)];
  }
  const { waits_until: _, ...rest } = known;
  const run = await saveChange(parts, {
    ...rest,
    state: "publishing",
    workflow: { ...workflow, url: facts.html_url },
  });
  return publishOwn(site, { run, facts, task });
}

interface Publishing {
  task: PublishTask;
  run: DispatchedRun;
  facts: WorkflowFacts;
}

async function publishOwn(
  site: Site,
  { run: unclaimed, facts, task }: Publishing,
): Promise<NewJob[]> {
  const { github } = site;
  const reclaimed = await reclaimItem(site, unclaimed, pushLeaseMs);
  if (reclaimed.kind === "twin") {
    return syncWithWorkflow(site, { run: unclaimed, facts: reclaimed.facts });
  }
  if (reclaimed.kind === "foreign") {
    const lost = { words: reclaimed.reason, ending: { kind: "lost" } } as const;
    return endPublication(site, { run: unclaimed, task }, lost);
  }
  const run = await saveChange(site, { ...unclaimed, claim: reclaimed.claim });
  const jobs = await readJobs(github, task.workflow);
  const artifacts = await orReason(findArtifacts(github, task.workflow));
  if (typeof artifacts === "string") {
    return endPublication(site, { run, task }, { words: artifacts, ending: { kind: "lost" } });
  }
  const { session, proof } = artifacts;
  const end = judgeUnpublished({ facts, jobs, artifacts });
  if (end || !session) return endPublication(site, { run, task }, end ?? nothingToDo);
  const push = {
    ...{ session, ...(proof && { proof }) },
    ...{ isProved: jobs.cleanRoom === "proved", succeeded: facts.conclusion === "success" },
    ...{ url: facts.html_url, claimed_at: run.changed_at },
  };
  return [pushJob({ ...task, push })];
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

type EndedWorkflow = {
  facts: Pick<WorkflowFacts, "id" | "conclusion">;
  jobs: JobFacts;
  artifacts: Pick<RunArtifacts, "session">;
};

const nothingToDo: Omit<RunEnd, "state"> = {
  ...{ words: "There was nothing to work on.", ending: { kind: "nothing-to-do" } },
};

/** How a finished workflow run without anything to publish ended, and why; undefined if there is something. Pure. */
export function judgeUnpublished({
  facts: { id, conclusion },
  jobs,
  artifacts: { session },
}: EndedWorkflow): Omit<RunEnd, "state"> | undefined {
  const resume = session ? ` ${resumeByHand(id)}` : "";
  if (conclusion === "cancelled") {
    const words = `The workflow was cancelled; nothing was published.${resume}`;
    return { words, ending: { kind: "cancelled" } };
  }
  if (jobs.cleanRoom === "refuted") {
    const words =
      "Nothing was published: the clean room, a fresh machine, could not prove the work again.";
    return { words, ending: { kind: "failed", in: "the clean room" } };
  }
  if (session) return undefined;
  const ending = endingOfWorkflow(conclusion, jobs.failed);
  if (!ending) return nothingToDo;
  const failed =
    jobs.failed.length > 0 ? ` in ${jobs.failed.map((name) => `\`${name}\``).join(", ")}` : "";
  const words = `The workflow ended with ${conclusion ?? "no conclusion"}${failed}, before there was a session to publish.`;
  return { words, ending };
}
