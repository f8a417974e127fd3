import type { CommentCommand } from "../../src/github/issues/comment-command.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import type { JobData } from "../jobs/job.ts";
import { answerJob, type NewJob, wakeJob } from "../jobs/new-job.ts";
import { setPaused } from "../repositories/repository-note.ts";
import { mayTrigger, type Trigger } from "../rules/authority.ts";
import { identifyActor } from "../rules/identify-actor.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun, isOpen, listRuns } from "../runs/dispatched-run.ts";
import {
  answerComment,
  type Commenter,
  commenterFor,
  renderRunProgress,
} from "../runs/progress-comment.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import type { Notes } from "../store/notes.ts";
import { isComplete, startFromCommand } from "./start-from-command.ts";
import { isSteerCommand, queueSteeringCommand } from "./steering.ts";

/** What a command wants, as the table of rights has it. */
const triggerOf = {
  run: "start-command",
  autopilot: "start-command",
  retry: "start-command",
  cancel: "steer-command",
  pause: "steer-command",
  resume: "steer-command",
  skip: "steer-command",
  hint: "steer-command",
  budget: "steer-command",
  status: "look-command",
  help: "look-command",
} as const satisfies Record<CommentCommand["verb"], Trigger>;

type Comment = Omit<JobData["steer"], "place">;
type Given = { id: string; place: Place; comment: Comment };

/**
 * Does what a comment says, for whoever may; others get no answer, so that nobody can make us write. Answers what follows:
 * what has been done is told by a job of its own, so that nothing is done twice because GitHub does not take the words.
 */
export async function handleCommand(
  parts: RunParts,
  { id, place, comment }: Given,
): Promise<NewJob[]> {
  const speaker = await commenterFor(parts, place);
  if (!(await isAllowed(parts, { speaker, place, comment }))) return [];
  const run = await findTargetRun(parts.notes, { place, comment, but: id });
  const start = await startFromCommand(parts, { place, ...comment }, run);
  const body = start
    ? await begin(parts, { id, place, comment, run, start })
    : await act(parts, { place, run, comment });
  const { issue, comment: number } = comment;
  const isSaid = number !== undefined && body !== undefined;
  const answer = isSaid ? [answerJob(id, { place, issue, comment: number, body })] : [];
  return comment.command.verb === "resume" ? [...answer, wakeJob(place, ["resumed", id])] : answer;
}

/** The run a comment is about: one that works, one that waits, else the newest that has begun. */
async function findTargetRun(
  notes: Notes,
  { place, comment, but }: { place: Place; comment: Comment; but: string },
): Promise<DispatchedRun | undefined> {
  const all = await listRuns(notes, { repositories: [place.repository] });
  // What this very comment has started, before somebody was killed, is none it speaks of.
  const own = all.filter((run) => run.id !== but && isAbout(run, comment));
  const open = own.find((run) => isOpen(run) && run.state !== "waiting") ?? own.find(isOpen);
  // Whoever asks how it stands hears of a wish that was refused since; to all others it hides nothing.
  const over = comment.command.verb === "status" ? own[0] : own.find(hasBegun);
  return open ?? over ?? own[0];
}

/** An autopilot that was asked for in a pull request belongs there, too; its own work is another one's. */
function isAbout({ request, pull }: DispatchedRun, { issue: number, isPull, command }: Comment) {
  if (isPull && pull?.number === number) return true;
  return request.issue === number && !(isPull && command.verb === "run");
}

const hasBegun = ({ workflow, after }: DispatchedRun) =>
  workflow !== undefined || after !== undefined;

type Beginning = Acting & { id: string; start: Start };

/** Starts what a comment asks for; answers nothing when that has a comment of its own. */
async function begin(parts: RunParts, beginning: Beginning): Promise<string | undefined> {
  const { id, place, start } = beginning;
  const { repository } = place;
  // Before it begins, so that its first workflow is told; what has begun was told already.
  const isNew = !(await findRun(parts.notes, { id, repository }));
  if (start.resumes && isNew) await hear(parts, beginning);
  await startRun(parts, { id, place, start });
  return (await findRun(parts.notes, { id, repository })) ? undefined : underWay;
}

const underWay =
  "Nothing new was started: a run for this is under way already, or waits to begin. `/ralph status` says how it stands.\n";

/** Answers a comment. */
export async function giveAnswer(
  parts: RunParts,
  { place, ...said }: JobData["answer"],
): Promise<void> {
  await answerComment(await commenterFor(parts, place), said);
}

/** Says what is wrong with a command, to whoever may give one. */
export async function explainCommand(
  parts: RunParts,
  { place, issue, actor, comment: number, problem }: JobData["explain"],
): Promise<void> {
  const speaker = await commenterFor(parts, place);
  const comment: Comment = { command: { verb: "help" }, isPull: false, issue, actor };
  if (number === undefined || !(await isAllowed(parts, { speaker, place, comment }))) return;
  await answerComment(speaker, { issue, comment: number, body: `${problem}\n\n${help}` });
}

const help = [
  "Commands stand alone on the first line of a comment:",
  "",
  "- `/ralph run` works on this issue, `/ralph autopilot` on what is most worth doing of the new reports and this issue",
  "- `/ralph status`, `/ralph cancel`",
  "- `/ralph retry` goes on with what failed or is blocked, `/ralph retry T-003` with that task alone",
  "- `/ralph skip T-003` leaves a task out, `/ralph hint TEXT` tells the agents something, `/ralph budget 5` is what the run may cost in all, in US dollars; each counts from the next part of the run on",
  "- `/ralph pause` and `/ralph resume` for everything in this repository",
].join("\n");
type Asked = { speaker: Commenter; place: Place; comment: Comment };

async function isAllowed({ access, bots }: RunParts, { speaker, place, comment }: Asked) {
  const known = { selfId: await selfId(access, place), bots };
  const actor = await identifyActor(speaker.github, comment.actor, known);
  return mayTrigger(triggerOf[comment.command.verb], actor).kind === "allowed";
}

const selfId = async (access: Access, place: Place) => (await access.self(place)).id;

type Acting = Omit<Given, "id"> & { run: DispatchedRun | undefined };

/** What is answered. */
async function act(parts: RunParts, acting: Acting): Promise<string> {
  const { place, run, comment } = acting;
  const { command } = comment;
  if (isSteerCommand(command)) return actOnOrder(parts, acting);
  switch (command.verb) {
    case "status":
      return run ? renderRunProgress(run) : "Nothing was started here yet.\n";
    case "cancel":
      return run && (await cancelRun(parts, run)) ? cancelled(run) : "Nothing is running here.\n";
    case "run":
      return notOurs;
    case "pause":
    case "resume":
      return pauseOrResume(parts, { place, verb: command.verb, comment: comment.comment });
    default:
      return `${help}\n`;
  }
}

type Pausing = { place: Place; verb: "pause" | "resume"; comment: number | undefined };

async function pauseOrResume(parts: RunParts, { place, verb, comment }: Pausing): Promise<string> {
  const isPaused = verb === "pause";
  if (!(await setPaused(parts, { place, isPaused, comment }))) {
    return `It counts nothing any more: somebody has written \`/ralph ${isPaused ? "resume" : "pause"}\` since.\n`;
  }
  return isPaused
    ? "Nothing starts in this repository until somebody writes `/ralph resume`.\n"
    : "Runs start again.\n";
}

function cancelled({ state }: DispatchedRun): string {
  switch (state) {
    case "waiting":
      return "What waited here is off the list.\n";
    case "publishing":
      return "Its work is over and is being published; it does not go on after that.\n";
    default:
      return "The run is being cancelled; what has passed by then is kept.\n";
  }
}

/** Whoever wants something tried again that nothing is left of is told so; everything else is heard. */
async function actOnOrder(parts: RunParts, acting: Acting): Promise<string> {
  const { run, comment } = acting;
  const { command, isPull } = comment;
  if (isPull && !run) return notOurs;
  if (command.verb !== "retry" || (run && isOpen(run))) return hear(parts, acting);
  return run && command.task === undefined && isComplete(run) ? nothingFailed : nothingLeft;
}

const notOurs = "This pull request is not one of ralph's. Write it in an issue.\n";
const nothingFailed =
  "All of it has passed, so there is nothing to try again. `/ralph run` does it anew; `/ralph retry T-003` goes on with a task that was left out.\n";
const nothingLeft =
  "There is no session whose task could be tried again: nothing was started here yet, its pull request is closed, or GitHub has deleted what it left. `/ralph run` starts a new one.\n";

/** Keeps what steers the work for the workflow that comes next, and answers what it will do. */
async function hear(
  parts: RunParts,
  { place, run, comment: { command, issue, comment } }: Acting,
): Promise<string> {
  if (!isSteerCommand(command) || comment === undefined) return `${help}\n`;
  return queueSteeringCommand(parts, { place, issue, comment, run, command });
}
