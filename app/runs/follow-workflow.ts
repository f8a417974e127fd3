import { readTip } from "../../src/github/claims/claim-ref.ts";
import type { Place } from "../access/place.ts";
import { PermanentJobError } from "../jobs/job.ts";
import { type NewJob, publishJob } from "../jobs/new-job.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import { workflowFile, workflowPath } from "./dispatch-workflow.ts";
import { type DispatchedRun, findRun, isOpen, publishTaskOf, saveRun } from "./dispatched-run.ts";
import { reportRun } from "./end-run.ts";
import { openSite, type RunParts, type Site } from "./run-parts.ts";
import {
  type ExpectedWorkflow,
  listWorkflows,
  readWorkflow,
  runIdInTitle,
  runIdOf,
  type WorkflowFacts,
} from "./workflow-facts.ts";

/** Updates a run from its workflow run; once that is over, a job publishes the result. */
export async function followWorkflow(
  parts: RunParts,
  { place, run: number }: { place: Place; run: number },
): Promise<NewJob[]> {
  const site = await openSite(parts, place);
  const facts = await readWorkflow(site.github, number);
  const run = await ownRun(site, facts);
  if (!run || !(await isNext(site, { run, facts }))) return [];
  return syncWithWorkflow(site, { run, facts });
}

type Followed = { run: DispatchedRun; facts: WorkflowFacts };

/** Updates a run and its comment from its workflow run; returns the publishing job once that is over. */
export async function syncWithWorkflow(
  parts: RunParts,
  { run, facts }: Followed,
): Promise<NewJob[]> {
  const state = stateOf(facts);
  const workflow = { run: facts.id, attempt: facts.run_attempt, url: facts.html_url };
  const next: DispatchedRun = { ...run, state, workflow, changed_at: parts.clock.now() };
  // The job is added before the run is saved: after a crash in between, adding it again has no effect.
  const jobs = state === "publishing" ? [publishJob(publishTaskOf(next))] : [];
  if (run.state !== state || run.workflow?.attempt !== workflow.attempt) {
    await reportRun(parts, next);
  }
  if (jobs.length === 0) await saveRun(parts.notes, next);
  return jobs;
}

export type Followable = Pick<WorkflowFacts, "id" | "run_attempt">;

/**
 * Whether a run follows this workflow run from now on; `by-claim`: if it holds the run's item. After a lost answer a
 * start is repeated, so there may be two workflow runs; one of them has the claim. Pure.
 */
export function mayFollow(
  run: DispatchedRun,
  { id, run_attempt: attempt }: Followable,
): "yes" | "no" | "by-claim" {
  const { workflow, after = 0, state } = run;
  if (id <= after) return "no";
  if (workflow?.run === id) {
    // A run that is being published or over only follows a rerun.
    const isSettled = state === "publishing" || !isOpen(run);
    return attempt > workflow.attempt || (!isSettled && attempt === workflow.attempt)
      ? "yes"
      : "no";
  }
  return workflow === undefined && isOpen(run) ? "yes" : "by-claim";
}

async function isNext({ github, clock }: Site, { run, facts }: Followed): Promise<boolean> {
  const verdict = mayFollow(run, facts);
  if (verdict !== "by-claim") return verdict === "yes";
  const tip = await readTip({ github, clock }, run.request.item);
  return tip?.note?.holder === String(facts.id);
}

function stateOf({ status }: WorkflowFacts): DispatchedRun["state"] {
  if (status === "completed") return "publishing";
  return status === "in_progress" ? "working" : "started";
}

/** The properties of a workflow run that belongs to the App. */
export async function expectedWorkflow({ github, self }: Site): Promise<ExpectedWorkflow> {
  const { default_branch: branch } = await readRepositoryFacts(github);
  return { path: workflowPath, branch, login: self.login };
}

/** The App's run behind a workflow run. A workflow run that only pretends to belong to one becomes a dead letter. */
async function ownRun(site: Site, facts: WorkflowFacts): Promise<DispatchedRun | undefined> {
  const { notes, place } = site;
  const named = runIdInTitle(facts);
  const run = named === undefined ? undefined : await findRun(notes, { id: named, place });
  if (!run || runIdOf(facts, await expectedWorkflow(site)) === run.id) return run;
  throw new PermanentJobError(
    `Workflow run ${facts.id} names the run ${run.id}, but the App did not start it: ${facts.event} of ${facts.path} on ${facts.head_branch} by ${facts.actor?.login}.`,
  );
}

/** Clocks may differ a little. */
const earlierMs = 60_000;

/** The id of a run's workflow run on GitHub, found by its title although its event or the answer to its start was lost. */
export async function findDispatched(
  parts: RunParts,
  { id, place, started_at: at, after = 0 }: DispatchedRun,
): Promise<number | undefined> {
  const site = await openSite(parts, place);
  const expected = await expectedWorkflow(site);
  const found = await listWorkflows(site.github, { workflow: workflowFile, since: at - earlierMs });
  return found.find((facts) => facts.id > after && runIdOf(facts, expected) === id)?.id;
}
