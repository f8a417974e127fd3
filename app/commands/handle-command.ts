import type { JobData, JobTask } from "../jobs/job.ts";
import { answerJob, jobId, type NewJob, repositoryJob } from "../jobs/new-job.ts";
import { resumedJobs, setPaused } from "../repositories/repository-note.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun, isOpen, listRuns } from "../runs/dispatched-run.ts";
import { renderRunProgress } from "../runs/progress-comment.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import type { Notes } from "../store/notes.ts";
import { commandHelp, isCommandAllowed, refuseOnce } from "./answer-command.ts";
import { isComplete, startFromCommand } from "./start-from-command.ts";
import { isSteerCommand, queueSteeringCommand } from "./steering.ts";

type Comment = JobData["steer"];

/**
 * Carries out the command of a comment if its author may give it; others get no answer. Returns the jobs that follow:
 * the answer is a job of its own, so that a failing comment does not repeat the command.
 */
export async function handleCommand(
  parts: RunParts,
  { id, data: comment }: JobTask<"steer">,
): Promise<NewJob[]> {
  if (!(await isCommandAllowed(parts, comment))) {
    await refuseOnce(parts, comment);
    return [];
  }
  const { place, issue, comment: number, command } = comment;
  if (command.verb === "setup" && number !== undefined) {
    const data = { place, issue, comment: number };
    return [repositoryJob(jobId("setup", id), { kind: "setup", data })];
  }
  const run = await findTargetRun(parts.notes, { comment, ownId: id });
  const start = await startFromCommand(parts, comment, run);
  const said = start
    ? await begin(parts, { id, comment, run, start })
    : await act(parts, { comment, run });
  const answered = number !== undefined && { place, issue, comment: number };
  const answer = answered ? [answerJob(id, { ...answered, ...wordsOrReaction(said) })] : [];
  if (command.verb !== "resume") return answer;
  return [...answer, ...(await resumedJobs(parts.notes, place, id))];
}

/** Undefined where a reaction says enough. */
type Said = string | undefined;

const wordsOrReaction = (said: Said) =>
  said === undefined ? { body: "", reaction: "+1" as const } : { body: said };

/** The run a comment refers to: one that works, else one that waits, else the newest that has begun. */
async function findTargetRun(
  notes: Notes,
  { comment, ownId }: { comment: Comment; ownId: string },
): Promise<DispatchedRun | undefined> {
  const all = await listRuns(notes, { place: comment.place });
  // After an interruption the comment's own run may exist already.
  const own = all.filter((run) => run.id !== ownId && isAbout(run, comment));
  const open = own.find((run) => isOpen(run) && run.state !== "waiting") ?? own.find(isOpen);
  // A refused request matters for `status`, but hides no run from other commands.
  const over = comment.command.verb === "status" ? own[0] : own.find(hasBegun);
  return open ?? over ?? own[0];
}

/** An autopilot requested in a pull request belongs to it too, but its work is not that pull request's issue. */
function isAbout({ request, pull }: DispatchedRun, { issue: number, isPull, command }: Comment) {
  if (isPull && pull?.number === number) return true;
  return request.issue === number && !(isPull && command.verb === "run");
}

const hasBegun = ({ workflow, after }: DispatchedRun) =>
  workflow !== undefined || after !== undefined;

type Target = { comment: Comment; run: DispatchedRun | undefined };

/** Starts the run a comment asks for, which has a comment of its own. */
async function begin(
  parts: RunParts,
  { id, start, ...target }: Target & { id: string; start: Start },
): Promise<Said> {
  const { place } = target.comment;
  // Queue the comment before the start, so that the first workflow receives it; a run that exists has received it.
  const isNew = !(await findRun(parts.notes, { id, place }));
  if (start.resumes && isNew) await steer(parts, target);
  await startRun(parts, { id, place, start });
  return (await findRun(parts.notes, { id, place })) ? undefined : underWay;
}

const underWay =
  "Nothing new was started: a run for this is under way or waiting. `/ralph status` shows it.\n";

/** Carries out a command that starts no run; returns the answer. */
async function act(parts: RunParts, { comment, run }: Target): Promise<Said> {
  const { command } = comment;
  if (isSteerCommand(command)) return steerOrRefuse(parts, { comment, run });
  switch (command.verb) {
    case "status":
      return run ? renderRunProgress(run) : "No run was started here yet.\n";
    case "cancel":
      return run && (await cancelRun(parts, { run, by: comment.actor }))
        ? cancelled(run)
        : "No session is running here.\n";
    case "run":
      return foreignPull;
    case "pause":
    case "resume":
      return pauseOrResume(parts, comment);
    default:
      return `${commandHelp}\n`;
  }
}

async function pauseOrResume(
  parts: RunParts,
  { place, command: { verb }, comment, actor }: Comment,
): Promise<Said> {
  const isPaused = verb === "pause";
  if (!(await setPaused(parts, { place, isPaused, comment, by: actor?.login }))) {
    return `This has no effect: a later comment said \`/ralph ${isPaused ? "resume" : "pause"}\`.\n`;
  }
  return undefined;
}

/** The run's own comment says that it was cancelled. */
const cancelled = ({ state }: DispatchedRun): Said =>
  state === "publishing"
    ? "The run has ended and is being published; it will not continue.\n"
    : undefined;

/** A retry that gets here has nothing to retry; every other command is queued. */
async function steerOrRefuse(parts: RunParts, target: Target): Promise<string> {
  const { run } = target;
  const { command, isPull } = target.comment;
  if (isPull && !run) return foreignPull;
  if (command.verb !== "retry" || (run && isOpen(run))) return steer(parts, target);
  return run && command.task === undefined && isComplete(run) ? nothingFailed : nothingLeft;
}

const foreignPull =
  "This pull request does not belong to ralph. Write the command in an issue instead.\n";
const nothingFailed =
  "All tasks have passed, so there is nothing to retry. `/ralph run` starts over; `/ralph retry T-003` continues with a skipped task.\n";
const nothingLeft =
  "There is no session to retry: nothing was started here yet, the pull request is closed, or GitHub has deleted the session. `/ralph run` starts a new one.\n";

/** Queues a command for the next workflow; returns the answer. */
async function steer(parts: RunParts, { comment, run }: Target): Promise<string> {
  const { place, command, issue, comment: number } = comment;
  if (!isSteerCommand(command) || number === undefined) return `${commandHelp}\n`;
  return queueSteeringCommand(parts, { place, issue, comment: number, run, command });
}
