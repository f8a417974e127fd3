import type { GitHub } from "../../src/github/api/create-github.ts";
import { sendAgain } from "../../src/github/api/create-once.ts";
import { markerOf, type Pull } from "../../src/github/pulls/pull.ts";
import type { Actor } from "../../src/schema/work-request.ts";
import { renderPullMarker } from "../../src/views/pull-request/pull-marker.ts";
import type { JobData, JobTask } from "../jobs/job.ts";
import { continueJob, jobId, type NewJob, refreshDashboardJob } from "../jobs/new-job.ts";
import { readPull } from "../pulls/pull-events.ts";
import { resumedJobs, setPaused } from "../repositories/repository-note.ts";
import { type Box, parseBox, tickedBoxes } from "../rules/dashboard-boxes.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import {
  type DispatchedRun,
  findRun,
  isPlan,
  listRuns,
  publishTaskOf,
  saveRun,
} from "../runs/dispatched-run.ts";
import { resumableSession } from "../runs/find-artifacts.ts";
import { judgeActor } from "../runs/judge-actor.ts";
import { openSite, type RunParts, requestAgain, type Site } from "../runs/run-parts.ts";
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
  { id, data: { place, ...ticked } }: JobTask<"dashboard">,
): Promise<NewJob[]> {
  const site = await openSite(parts, place);
  const marks = await currentTicks(site, ticked);
  if (marks.length === 0) return [];
  const jobs: NewJob[] = [];
  const verdict = await judgeActor(parts, place, { actor: ticked.actor, trigger: "dashboard" });
  if (verdict.kind === "allowed") {
    for (const mark of marks) {
      const box = parseBox(mark);
      const act = { id: jobId(id, mark), actor: ticked.actor };
      if (box) jobs.push(...(await handleBox(site, act, box)));
    }
  }
  return [...jobs, refreshDashboardJob(place, id, marks)];
}

/** Carries out what a person asked for on the page of a run, if they still may. */
export async function actOnRun(
  parts: RunParts,
  { id, data: { place, run: of, action, actor } }: JobTask<"act">,
): Promise<void> {
  const run = await findRun(parts.notes, { id: of, place });
  const verdict = await judgeActor(parts, place, { actor, trigger: "dashboard" });
  if (!run || verdict.kind === "denied") return;
  if (action === "cancel") await cancelRun(parts, { run, by: actor });
  else await retryRun(parts, { id, actor }, run);
}

/** The ticks of an edit that are still set, or that the App itself has overwritten. */
async function currentTicks(site: Site, { issue: number, boxes }: Ticked) {
  const issue = await readDashboard(site, number);
  if (issue?.state !== "open") return [];
  const ticked = new Set(tickedBoxes(issue.body ?? ""));
  const marks = boxes.filter((mark) => ticked.has(mark));
  return marks.length < boxes.length && (await wasEditedByApp(site, number)) ? boxes : marks;
}

type Act = { id: string; actor: Actor | undefined };

async function handleBox(site: Site, act: Act, { verb, run: of }: Box): Promise<NewJob[]> {
  const { notes, place } = site;
  if (verb === "pause" || verb === "resume") {
    await setPaused(site, { place, isPaused: verb === "pause", by: act.actor?.login });
    return verb === "pause" ? [] : resumedJobs(notes, place, act.id);
  }
  const run = of === undefined ? undefined : await findRun(notes, { id: of, place });
  return run ? acts[verb](site, act, run) : [];
}

type RunAct = (site: Site, act: Act, run: DispatchedRun) => Promise<NewJob[]>;

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
  { notes, clock }: Site,
  { id: tick }: Act,
  run: DispatchedRun,
): Promise<NewJob[]> {
  const { workflow, state } = run;
  if (!workflow || !isPlan(run) || (state !== "done" && state !== "publishing")) return [];
  const words = "The plan was approved, and the run continues.";
  await saveRun(notes, { ...run, state: "publishing", words, changed_at: clock.now() });
  // If it fails, the box may be ticked again.
  return [continueJob(publishTaskOf(run), tick)];
}

async function retry(site: Site, act: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (hasFailed(run)) await retryRun(site, act, run);
  return [];
}

async function retryRun(parts: RunParts, { id, actor }: Act, run: DispatchedRun): Promise<void> {
  const { place } = run;
  const resumes = await resumableSession(parts, run, undefined);
  const request = requestAgain(run.request, { trigger: "dashboard", actor });
  await startRun(parts, { id, place, start: { request, ...(resumes && { resumes }) } });
}

async function cancel(site: Site, { actor: by }: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state !== "waiting") await cancelRun(site, { run, by });
  return [];
}

async function skip(site: Site, { actor: by }: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state === "waiting") await cancelRun(site, { run, by });
  return [];
}

const words = "The item was allowed again, so it may be chosen once more.";

/**
 * Allows an item again whose pull request was closed: removes the pull request's marker, by which analyses recognise the
 * item, and the rejection in the notes.
 */
async function unignore(site: Site, _: Act, run: DispatchedRun): Promise<NewJob[]> {
  for (const { outcome: _, ...allowed } of await rejectedWith(site, run)) {
    if (allowed.pull) await removeMarker(site, allowed.pull.number);
    await saveRun(site.notes, { ...allowed, words, changed_at: site.clock.now() });
  }
  return [];
}

/** All rejected runs of the same issue; a run without an issue counts alone. */
async function rejectedWith({ notes, place }: Site, run: DispatchedRun): Promise<DispatchedRun[]> {
  const runs = await listRuns(notes, { place });
  const { item, issue } = run.request;
  const isSame = ({ id, request }: DispatchedRun) =>
    id === run.id || (issue !== undefined && issue === request.issue && item === request.item);
  return runs.filter((each) => each.outcome === "rejected" && isSame(each));
}

async function removeMarker({ github, self, clock }: Site, number: number): Promise<void> {
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
