import type { GitHub } from "../../src/github/api/create-github.ts";
import { sendAgain } from "../../src/github/api/create-once.ts";
import { markerOf, type Pull } from "../../src/github/pulls/pull.ts";
import type { Actor } from "../../src/schema/work-request.ts";
import { renderPullMarker } from "../../src/views/pull-request/pull-marker.ts";
import type { Place } from "../access/place.ts";
import type { JobData } from "../jobs/job.ts";
import { continueJob, jobId, type NewJob, refreshDashboardJob } from "../jobs/new-job.ts";
import { readPull } from "../pulls/pull-events.ts";
import { resumedJobs, setPaused } from "../repositories/repository-note.ts";
import { type Box, parseBox, tickedBoxes } from "../rules/dashboard-boxes.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun, isPlan, listRuns, saveRun } from "../runs/dispatched-run.ts";
import { resumableSession } from "../runs/find-artifacts.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import { type Commenter, commenterFor } from "../runs/progress-comment.ts";
import { type RunParts, requestAgain } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import { readDashboard, wasEditedByApp } from "./dashboard-issue.ts";
import { hasFailed } from "./dashboard-view.ts";

type Ticked = Omit<JobData["dashboard"], "place">;

/**
 * Carries out the boxes an edit has ticked, if its author may and they are still ticked; other ticks are only cleared.
 * Returns the jobs that follow: clearing the boxes comes last.
 */
export async function handleTicks(
  parts: RunParts,
  { id, place, ticked }: { id: string; place: Place; ticked: Ticked },
): Promise<NewJob[]> {
  const commenter = await commenterFor(parts, place);
  const marks = await currentTicks(commenter, ticked);
  if (marks.length === 0) return [];
  const jobs: NewJob[] = [];
  const verdict = await judgeActor(parts, place, { actor: ticked.actor, trigger: "dashboard" });
  if (verdict.kind === "allowed") {
    for (const mark of marks) {
      const box = parseBox(mark);
      const act = { id: jobId(id, mark), place, ticked, commenter };
      if (box) jobs.push(...(await handleBox(parts, act, box)));
    }
  }
  return [...jobs, refreshDashboardJob(place, id, marks)];
}

type RunAction = JobData["act"] & { id: string };

/** Carries out what a person asked for on the page of a run, if they still may. */
export async function actOnRun(
  parts: RunParts,
  { id, place, run: of, action, actor }: RunAction,
): Promise<void> {
  const run = await findRun(parts.notes, { id: of, place });
  const verdict = await judgeActor(parts, place, { actor, trigger: "dashboard" });
  if (!run || verdict.kind === "denied") return;
  if (action === "cancel") await cancelRun(parts, { run, by: actor });
  else await retryRun(parts, { id, place, run, actor });
}

/** The ticks of an edit that are still set, or that the App itself has overwritten. */
async function currentTicks(commenter: Commenter, { issue: number, boxes }: Ticked) {
  const issue = await readDashboard(commenter, number);
  if (issue?.state !== "open") return [];
  const ticked = new Set(tickedBoxes(issue.body ?? ""));
  const marks = boxes.filter((mark) => ticked.has(mark));
  return marks.length < boxes.length && (await wasEditedByApp(commenter, number)) ? boxes : marks;
}

type Act = { id: string; commenter: Commenter; place: Place; ticked: Ticked };

async function handleBox(parts: RunParts, act: Act, { verb, run: of }: Box): Promise<NewJob[]> {
  const { id, place, ticked } = act;
  if (verb === "pause" || verb === "resume") {
    await setPaused(parts, { place, isPaused: verb === "pause", by: ticked.actor?.login });
    return verb === "pause" ? [] : resumedJobs(parts.notes, place, id);
  }
  const run = of === undefined ? undefined : await findRun(parts.notes, { id: of, place });
  return run ? acts[verb](parts, act, run) : [];
}

type RunAct = (parts: RunParts, act: Act, run: DispatchedRun) => Promise<NewJob[]>;

/** Each checks the run first, which may have moved on since. */
const acts = {
  approve: approvePlan,
  retry,
  cancel,
  skip,
  unignore,
} as const satisfies Record<Exclude<Box["verb"], "pause" | "resume">, RunAct>;

/** Continues the plan's run like a session that ran out of time. */
async function approvePlan(
  parts: RunParts,
  { id: tick, place }: Act,
  run: DispatchedRun,
): Promise<NewJob[]> {
  const { id: runId, workflow, state } = run;
  if (!workflow || !isPlan(run) || (state !== "done" && state !== "publishing")) return [];
  const words = "The plan was approved, and the run continues.";
  await saveRun(parts.notes, {
    ...run,
    ...{ state: "publishing", words, changed_at: parts.clock.now() },
  });
  const { run: number, attempt } = workflow;
  const data = { place, runId, workflow: { run: number, attempt } };
  // If it fails, the box may be ticked again.
  return [continueJob(data, tick)];
}

async function retry(parts: RunParts, act: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (!hasFailed(run)) return [];
  const { id, place, ticked } = act;
  await retryRun(parts, { id, place, run, actor: ticked.actor });
  return [];
}

type Retried = { id: string; place: Place; run: DispatchedRun; actor: Actor | undefined };

async function retryRun(parts: RunParts, { id, place, run, actor }: Retried): Promise<void> {
  const resumes = await resumableSession(parts, run, undefined);
  const request = requestAgain(run.request, { trigger: "dashboard", actor });
  await startRun(parts, { id, place, start: { request, ...(resumes && { resumes }) } });
}

async function cancel(parts: RunParts, act: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state !== "waiting") await cancelRun(parts, { run, by: act.ticked.actor });
  return [];
}

async function skip(parts: RunParts, act: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state === "waiting") await cancelRun(parts, { run, by: act.ticked.actor });
  return [];
}

const words = "The item was allowed again, so it may be chosen once more.";

/**
 * Allows an item again whose pull request was closed: removes the pull request's marker, by which analyses recognise the
 * item, and the rejection in the notes.
 */
async function unignore(
  parts: RunParts,
  { place, commenter }: { place: Place; commenter: Commenter },
  run: DispatchedRun,
): Promise<NewJob[]> {
  for (const each of await rejectedWith(parts, { place, run })) {
    if (each.pull) await removeMarker(commenter, each.pull.number);
    const { outcome: _, ...allowed } = each;
    await saveRun(parts.notes, { ...allowed, words, changed_at: parts.clock.now() });
  }
  return [];
}

/** All rejected runs of the same issue; a run without an issue counts alone. */
async function rejectedWith(
  { notes }: RunParts,
  { place, run }: { place: Place; run: DispatchedRun },
): Promise<DispatchedRun[]> {
  const runs = await listRuns(notes, { place });
  const { item, issue } = run.request;
  const isSame = ({ id, request }: DispatchedRun) =>
    id === run.id || (issue !== undefined && issue === request.issue && item === request.item);
  return runs.filter((each) => each.outcome === "rejected" && isSame(each));
}

async function removeMarker({ github, self, clock }: Commenter, number: number): Promise<void> {
  const pull = await readPull(github, number);
  const marker = markerOf(pull, self);
  if (!marker || pull.state === "open" || pull.merged_at) return;
  const body = (pull.body ?? "").replaceAll(renderPullMarker(marker), "").trimEnd();
  await sendAgain(clock, () => changeBody(github, pull, `${body}\n`));
}

const changeBody = (github: GitHub, { number }: Pull, body: string) =>
  github.ask(
    { act: `allow the item of #${number} again`, permission: "pull-requests: write", reason: "pr" },
    ({ rest }) => rest.pulls.update({ ...github.repo, pull_number: number, body }),
  );
