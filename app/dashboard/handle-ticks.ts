import type { Place } from "../access/place.ts";
import type { JobData } from "../jobs/job.ts";
import { jobId } from "../jobs/job-id.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { continueJob, refreshDashboardJob, wakeJob } from "../jobs/new-job.ts";
import { setPaused } from "../repositories/repository-note.ts";
import { mayTrigger } from "../rules/authority.ts";
import { type Box, parseBox, tickedBoxes } from "../rules/dashboard-boxes.ts";
import { identifyActor } from "../rules/identify-actor.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun, isPlan, saveRun } from "../runs/dispatched-run.ts";
import { requestAgain } from "../runs/new-run.ts";
import { type Commenter, commenterFor } from "../runs/progress-comment.ts";
import { resumableSession } from "../runs/resumable-session.ts";
import type { RunParts } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import { readDashboard, wasEditedByApp } from "./dashboard-issue.ts";
import { hasFailed } from "./dashboard-view.ts";
import { unignore } from "./unignore.ts";

type Ticked = Omit<JobData["dashboard"], "place">;

/**
 * Does what somebody has ticked in the dashboard, if they may and the tick still stands; a tick of anybody else has no
 * effect but that it is cleared. Answers what follows: the boxes are cleared by a job after everything else.
 */
export async function handleTicks(
  parts: RunParts,
  { id, place, ticked }: { id: string; place: Place; ticked: Ticked },
): Promise<NewJob[]> {
  const speaker = await commenterFor(parts, place);
  const marks = await currentTicks(speaker, ticked);
  if (marks.length === 0) return [];
  const jobs: NewJob[] = [];
  if (await isAllowed(parts, { speaker, place, ticked })) {
    for (const mark of marks) {
      const box = parseBox(mark);
      const act = { id: jobId(id, mark), place, ticked, speaker };
      if (box) jobs.push(...(await handleBox(parts, act, box)));
    }
  }
  return [...jobs, refreshDashboardJob(place, id, marks)];
}

/** The ticks of an edit that nobody has taken back since; one that we have written over was not. */
async function currentTicks(speaker: Commenter, { issue: number, boxes }: Ticked) {
  const issue = await readDashboard(speaker, number);
  if (issue?.state !== "open") return [];
  const ticked = new Set(tickedBoxes(issue.body ?? ""));
  const marks = boxes.filter((mark) => ticked.has(mark));
  return marks.length < boxes.length && (await wasEditedByApp(speaker, number)) ? boxes : marks;
}

type Asked = { speaker: Commenter; place: Place; ticked: Ticked };

async function isAllowed({ access, bots }: RunParts, { speaker, place, ticked }: Asked) {
  const { id: selfId } = await access.self(place);
  const actor = await identifyActor(speaker.github, ticked.actor, { selfId, bots });
  return mayTrigger("dashboard", actor).kind === "allowed";
}

type Act = Asked & { id: string };

async function handleBox(parts: RunParts, act: Act, { verb, run: of }: Box): Promise<NewJob[]> {
  const { id, place } = act;
  if (verb === "pause" || verb === "resume") {
    await setPaused(parts, { place, isPaused: verb === "pause" });
    return verb === "pause" ? [] : [wakeJob(place, ["resumed", id])];
  }
  const { repository } = place;
  const run = of === undefined ? undefined : await findRun(parts.notes, { id: of, repository });
  return run ? acts[verb](parts, act, run) : [];
}

type RunAct = (parts: RunParts, act: Act, run: DispatchedRun) => Promise<NewJob[]>;

/** Each looks first: a box may stand for a run that has moved on. */
const acts = {
  approve: goOnWithPlan,
  retry: tryAgain,
  cancel,
  skip,
  unignore,
} as const satisfies Record<Exclude<Box["verb"], "pause" | "resume">, RunAct>;

/** As a session goes on whose time was up. */
async function goOnWithPlan(
  parts: RunParts,
  { id: tick, place }: Act,
  run: DispatchedRun,
): Promise<NewJob[]> {
  const { id: runId, workflow, state } = run;
  if (!workflow || !isPlan(run) || (state !== "done" && state !== "publishing")) return [];
  const words = "Somebody has read the plan, and it goes on.";
  await saveRun(parts.notes, {
    ...run,
    ...{ state: "publishing", words, changed_at: parts.clock.now() },
  });
  const { run: number, attempt } = workflow;
  const data = { place, runId, workflow: { run: number, attempt } };
  // One that came to nothing may be ticked once more.
  return [continueJob(data, tick)];
}

async function tryAgain(parts: RunParts, act: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (!hasFailed(run)) return [];
  const { id, place, ticked } = act;
  const resumes = await resumableSession(parts, run, undefined);
  const request = requestAgain(run.request, { trigger: "dashboard", actor: ticked.actor });
  await startRun(parts, { id, place, start: { request, ...(resumes && { resumes }) } });
  return [];
}

async function cancel(parts: RunParts, _: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state !== "waiting") await cancelRun(parts, run);
  return [];
}

async function skip(parts: RunParts, _: Act, run: DispatchedRun): Promise<NewJob[]> {
  if (run.state === "waiting") await cancelRun(parts, run);
  return [];
}
