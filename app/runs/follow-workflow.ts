import type { GitHub } from "../../src/github/api/create-github.ts";
import { readTip } from "../../src/github/claims/claim-ref.ts";
import type { Place } from "../access/place.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { publishJob } from "../jobs/new-job.ts";
import { PermanentJobError } from "../jobs/permanent-job-error.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import { type DispatchedRun, findRun, isOpen, saveRun } from "./dispatched-run.ts";
import { reportProgress } from "./progress-comment.ts";
import { type RunParts, workflowFile } from "./run-parts.ts";
import {
  type ExpectedWorkflow,
  readWorkflow,
  runIdInTitle,
  runIdOf,
  type WorkflowFacts,
} from "./workflow-facts.ts";

/** Keeps up with a workflow run of ours; when it is over, its result is published by a job of its own. */
export async function followWorkflow(
  parts: RunParts,
  { place, run: number }: { place: Place; run: number },
): Promise<NewJob[]> {
  const github = await parts.access.github(place);
  const facts = await readWorkflow(github, number);
  const run = await ownRun(parts, { github, place, facts });
  if (!run || !(await isNext(parts, { github, run, facts }))) return [];
  return syncWithWorkflow(parts, { github, run, facts });
}

type Followed = { github: GitHub; run: DispatchedRun; facts: WorkflowFacts };

/** Brings a run's note and its comment in step with its workflow; answers the job that publishes, if it is over. */
export async function syncWithWorkflow(
  parts: RunParts,
  { github, run, facts }: Followed,
): Promise<NewJob[]> {
  const state = stateOf(facts);
  const workflow = { run: facts.id, attempt: facts.run_attempt, url: facts.html_url };
  const next: DispatchedRun = { ...run, state, workflow, changed_at: parts.clock.now() };
  // The job is added before the note says that it was: a crash between the two adds it again, which is once.
  const { run: number, attempt } = workflow;
  const task = { place: run.place, runId: run.id, workflow: { run: number, attempt } };
  const jobs = state === "publishing" ? [publishJob(task)] : [];
  if (run.state !== state || run.workflow?.attempt !== workflow.attempt) {
    const speaker = { github, self: await parts.access.self(run.place), clock: parts.clock };
    await reportProgress(speaker, next);
  }
  if (jobs.length === 0) await saveRun(parts.notes, next);
  return jobs;
}

/** What decides whether a workflow run is the one a run goes by from now on. */
export type Followable = Pick<WorkflowFacts, "id" | "run_attempt">;

/**
 * Whether a workflow run of ours is what is to be followed; `by-claim`: when it holds the run's item. A start whose answer
 * got lost is sent again, so that there may be two; one of them has the claim. Pure.
 */
export function mayFollow(
  run: DispatchedRun,
  { id, run_attempt: attempt }: Followable,
): "yes" | "no" | "by-claim" {
  const { workflow, after = 0, state } = run;
  if (id <= after) return "no";
  if (workflow?.run === id) {
    // What is being published, or over, begins anew only when somebody has run it again.
    const isSettled = state === "publishing" || !isOpen(run);
    return attempt > workflow.attempt || (!isSettled && attempt === workflow.attempt)
      ? "yes"
      : "no";
  }
  return workflow === undefined && isOpen(run) ? "yes" : "by-claim";
}

async function isNext({ clock }: RunParts, { github, run, facts }: Followed): Promise<boolean> {
  const verdict = mayFollow(run, facts);
  if (verdict !== "by-claim") return verdict === "yes";
  const tip = await readTip({ github, clock }, run.request.item);
  return tip?.note?.holder === String(facts.id);
}

function stateOf({ status }: WorkflowFacts): DispatchedRun["state"] {
  if (status === "completed") return "publishing";
  return status === "in_progress" ? "working" : "started";
}

type Found = { github: GitHub; place: Place; facts: WorkflowFacts };

/** What a workflow run of ours must be. */
export async function expectedWorkflow(
  access: RunParts["access"],
  { github, place }: Omit<Found, "facts">,
): Promise<ExpectedWorkflow> {
  const { login } = await access.self(place);
  const { default_branch: branch } = await readRepositoryFacts(github);
  return { path: `.github/workflows/${workflowFile}`, branch, login };
}

/** The run a workflow run belongs to. One that names a run of ours and is not ours is kept as a dead job, to be looked at. */
async function ownRun(
  { access, notes }: RunParts,
  { github, place, facts }: Found,
): Promise<DispatchedRun | undefined> {
  const named = runIdInTitle(facts);
  const run =
    named === undefined
      ? undefined
      : await findRun(notes, { id: named, repository: place.repository });
  if (!run) return undefined;
  const expected = await expectedWorkflow(access, { github, place });
  if (runIdOf(facts, expected) === run.id) return run;
  throw new PermanentJobError(
    `Workflow run ${facts.id} names the run ${run.id} and is not ours: ${facts.event} of ${facts.path} on ${facts.head_branch} by ${facts.actor?.login}.`,
  );
}
