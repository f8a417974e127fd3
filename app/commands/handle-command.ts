import type { CommentCommand } from "../../src/github/issues/comment-command.ts";
import type { Access } from "../access/access.ts";
import type { Place } from "../access/place.ts";
import { jobId } from "../jobs/job-id.ts";
import { wakeJob } from "../jobs/new-job.ts";
import { setPaused } from "../repositories/repository-note.ts";
import { mayTrigger, type Trigger } from "../rules/authority.ts";
import { identifyActor } from "../rules/identify-actor.ts";
import type { Wanted } from "../rules/wanted.ts";
import { cancelRun } from "../runs/cancel-run.ts";
import { findRun, isOpen, type RunNote } from "../runs/dispatched-run.ts";
import {
  answerComment,
  renderProgress,
  type Speaker,
  speakerFor,
} from "../runs/progress-comment.ts";
import type { RunParts, Start } from "../runs/run-parts.ts";
import { startRun } from "../runs/start-run.ts";
import type { NewJob } from "../store/queue.ts";
import { findSpoken } from "./spoken-run.ts";
import { isComplete, startFor } from "./spoken-start.ts";
import { hearOrder, isOrder } from "./steering.ts";

type Steer = Extract<Wanted, { kind: "steer" }>;
type Explain = Extract<Wanted, { kind: "explain" }>;

/** What a command wants, as the table of rights has it. */
const wishOf = {
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

type Spoken = { id: string; place: Place; steer: Steer };

/**
 * Does what a comment says, for whoever may; others get no answer, so that nobody can make us write. Answers what follows:
 * what has been done is told by a job of its own, so that nothing is done twice because GitHub does not take the words.
 */
export async function obeyComment(
  parts: RunParts,
  { id, place, steer }: Spoken,
): Promise<NewJob[]> {
  const speaker = await speakerFor(parts, place);
  if (!(await isAllowed(parts, { speaker, place, steer }))) return [];
  const { command, issue, asker } = steer;
  const run = await findSpoken(parts.notes, { place, steer, but: id });
  const start = await startFor(parts, steer, run);
  const body = start
    ? await begin(parts, { id, place, steer, run, start })
    : await act(parts, { place, run, steer });
  const { commentId: comment } = asker;
  const isSaid = comment !== undefined && body !== undefined;
  const answer = isSaid ? [answerJob(id, { place, issue, comment, body })] : [];
  return command.verb === "resume" ? [...answer, wakeJob(place, ["resumed", id])] : answer;
}

type Beginning = Acting & { id: string; start: Start };

/** Starts what a comment asks for; answers nothing when that has a comment of its own. */
async function begin(parts: RunParts, beginning: Beginning): Promise<string | undefined> {
  const { id, place, start } = beginning;
  const { repository } = place;
  // Before it begins, so that its first workflow is told; what has begun was told already.
  const isNew = !(await findRun(parts.notes, { id, repository }));
  if (start.goesOn && isNew) await hear(parts, beginning);
  await startRun(parts, { id, place, start });
  return (await findRun(parts.notes, { id, repository })) ? undefined : underWay;
}

const underWay =
  "Nothing new was started: a run for this is under way already, or waits to begin. `/ralph status` says how it stands.\n";

/** What is to be said to whoever has written a comment. */
export interface AnswerTask {
  place: Place;
  issue: number;
  comment: number;
  body: string;
}

function answerJob(after: string, data: AnswerTask): NewJob {
  const group = `work:${data.place.repository}`;
  return { id: jobId("answer", after), kind: "answer", group, data };
}

/** Says it. */
export async function giveAnswer(parts: RunParts, { place, ...said }: AnswerTask): Promise<void> {
  await answerComment(await speakerFor(parts, place), said);
}

/** Says what is wrong with a command, to whoever may give one. */
export async function explainCommand(
  parts: RunParts,
  { place, explain }: { place: Place; explain: Explain },
): Promise<void> {
  const speaker = await speakerFor(parts, place);
  const { issue, asker, problem } = explain;
  const steer: Steer = { kind: "steer", command: { verb: "help" }, isPull: false, issue, asker };
  if (asker.commentId === undefined || !(await isAllowed(parts, { speaker, place, steer }))) return;
  const body = `${problem}\n\n${help}`;
  await answerComment(speaker, { issue, comment: asker.commentId, body });
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
type Asked = { speaker: Speaker; place: Place; steer: Steer };

async function isAllowed({ access, bots }: RunParts, { speaker, place, steer }: Asked) {
  const known = { selfId: await selfId(access, place), bots };
  const actor = await identifyActor(speaker.github, steer.asker.sender, known);
  return mayTrigger(wishOf[steer.command.verb], actor).kind === "allowed";
}

const selfId = async (access: Access, place: Place) => (await access.self(place)).id;

type Acting = Omit<Spoken, "id"> & { run: RunNote | undefined };

/** What is answered. */
async function act(parts: RunParts, acting: Acting): Promise<string> {
  const { place, run, steer } = acting;
  const { command } = steer;
  if (isOrder(command)) return actOnOrder(parts, acting);
  switch (command.verb) {
    case "status":
      return run ? renderProgress(run) : "Nothing was started here yet.\n";
    case "cancel":
      return run && (await cancelRun(parts, run)) ? cancelled(run) : "Nothing is running here.\n";
    case "run":
      return notOurs;
    case "pause":
    case "resume":
      return pauseOrResume(parts, { place, verb: command.verb, comment: steer.asker.commentId });
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

function cancelled({ state }: RunNote): string {
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
  const { run, steer } = acting;
  if (steer.isPull && !run) return notOurs;
  const { command } = steer;
  if (command.verb !== "retry" || (run && isOpen(run))) return hear(parts, acting);
  return run && command.task === undefined && isComplete(run) ? nothingFailed : nothingLeft;
}

const notOurs = "This pull request is not one of ralph's. Write it in an issue.\n";
const nothingFailed =
  "All of it has passed, so there is nothing to try again. `/ralph run` does it anew; `/ralph retry T-003` goes on with a task that was left out.\n";
const nothingLeft =
  "There is no session whose task could be tried again: nothing was started here yet, its pull request is closed, or GitHub has deleted what it left. `/ralph run` starts a new one.\n";

/** Keeps what steers the work for the workflow that comes next, and answers what it will do. */
async function hear(parts: RunParts, { place, run, steer }: Acting): Promise<string> {
  const { command, issue, asker } = steer;
  const { commentId: comment } = asker;
  if (!isOrder(command) || comment === undefined) return `${help}\n`;
  return hearOrder(parts, { place, issue, comment, run, command });
}
