import type { GitHub } from "../../src/github/create-github.ts";
import type { Place } from "../access.ts";
import type { NewJob } from "../store/queue.ts";
import { jobId } from "../triggers/job-id.ts";
import { readDefaultBranch } from "./default-branch.ts";
import { tellProgress } from "./progress-comment.ts";
import { findRun, isOpen, keepRun, type RunNote } from "./run-note.ts";
import { type RunParts, workflowFile } from "./start-run.ts";
import { readWorkflow, runIdOf, type WorkflowFacts } from "./workflow-facts.ts";

/** A finished workflow whose result is to be published. */
export interface PublishTask {
  place: Place;
  runId: string;
}

/** Keeps up with a workflow run of ours; when it is over, its result is published by a job of its own. */
export async function followWorkflow(
  parts: RunParts,
  { place, run: number }: { place: Place; run: number },
): Promise<NewJob | undefined> {
  const github = await parts.access.github(place);
  const facts = await readWorkflow(github, number);
  const run = await ownRun(parts, { github, place, facts });
  if (!run || !isOpen(run) || run.state === "publishing") return undefined;
  const state = stateOf(facts);
  const workflow = { run: facts.id, attempt: facts.run_attempt, url: facts.html_url };
  const next: RunNote = { ...run, state, workflow, changed_at: parts.clock.now() };
  // The job is added before the note says that it was: a crash between the two adds it again, which is once.
  const job = state === "publishing" ? publishJob(next) : undefined;
  if (run.state !== state || run.workflow?.attempt !== workflow.attempt) {
    const speaker = { github, self: await parts.access.self(place), clock: parts.clock };
    await tellProgress(speaker, next);
  }
  if (!job) await keepRun(parts.notes, next);
  return job;
}

function stateOf({ status }: WorkflowFacts): RunNote["state"] {
  if (status === "completed") return "publishing";
  return status === "in_progress" ? "working" : "started";
}

export function publishJob({ id: runId, place, workflow }: RunNote): NewJob {
  const data: PublishTask = { place, runId };
  const id = jobId("publish", runId, workflow?.run ?? 0, workflow?.attempt ?? 0);
  return { id, kind: "publish", group: `work:${place.repository}`, data };
}

type Found = { github: GitHub; place: Place; facts: WorkflowFacts };

async function ownRun(
  { access, notes }: RunParts,
  { github, place, facts }: Found,
): Promise<RunNote | undefined> {
  const { login } = await access.self(place);
  const branch = await readDefaultBranch(github);
  const id = runIdOf(facts, { path: `.github/workflows/${workflowFile}`, branch, login });
  return id === undefined ? undefined : findRun(notes, { id, repository: place.repository });
}
