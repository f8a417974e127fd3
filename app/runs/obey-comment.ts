import type { CommentCommand } from "../../src/github/comment-command.ts";
import type { Access, Place } from "../access.ts";
import type { NewJob } from "../store/queue.ts";
import { mayTrigger, type Trigger } from "../triggers/authority.ts";
import { identifyActor } from "../triggers/identify-actor.ts";
import type { Wanted } from "../triggers/wanted.ts";
import { cancelRun } from "./cancel-run.ts";
import { sessionLeft } from "./go-on.ts";
import { hearOrder, isOrder } from "./hear-order.ts";
import { workOf } from "./new-run.ts";
import { answerComment, renderProgress, type Speaker } from "./progress-comment.ts";
import { setPaused } from "./repository-note.ts";
import { isOpen, listRuns, type RunNote } from "./run-note.ts";
import { type RunParts, type Start, startRun } from "./start-run.ts";
import { wakeJob } from "./wake-waiting.ts";

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
 * Does what a comment says, for whoever may; others get no answer, so that nobody can make us write. Answers what follows.
 */
export async function obeyComment(
  parts: RunParts,
  { id, place, steer }: Spoken,
): Promise<NewJob[]> {
  const speaker = await speakerFor(parts, place);
  if (!(await isAllowed(parts, { speaker, place, steer }))) return [];
  const { command, issue, asker } = steer;
  const run = await runOf(parts, { place, steer, but: id });
  const start = await startFor(parts, steer, run);
  if (start) {
    // Before it begins, so that its first workflow is told.
    if (start.goesOn) await hear(parts, { place, run, steer });
    await startRun(parts, { id, place, start });
    return [];
  }
  const body = await act(parts, { place, run, steer });
  if (asker.commentId !== undefined) {
    await answerComment(speaker, { issue, comment: asker.commentId, body });
  }
  return command.verb === "resume" ? [wakeJob(place, ["resumed", id])] : [];
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

/** Who speaks for the App in a repository. */
export async function speakerFor({ access, clock }: RunParts, place: Place): Promise<Speaker> {
  return { github: await access.github(place), self: await access.self(place), clock };
}

type Asked = { speaker: Speaker; place: Place; steer: Steer };

async function isAllowed({ access, bots }: RunParts, { speaker, place, steer }: Asked) {
  const known = { selfId: await selfId(access, place), bots };
  const actor = await identifyActor(speaker.github, steer.asker.sender, known);
  return mayTrigger(wishOf[steer.command.verb], actor).kind === "allowed";
}

const selfId = async (access: Access, place: Place) => (await access.self(place)).id;

/** The run of an issue that works, else its newest; or the one a pull request came from. */
async function runOf(
  { notes }: RunParts,
  { place, steer: { issue, isPull }, but }: Omit<Spoken, "id"> & { but: string },
): Promise<RunNote | undefined> {
  const all = await listRuns(notes, { repositories: [place.repository] });
  // What this very comment has started, before somebody was killed, is none it speaks of.
  const runs = all.filter(({ id }) => id !== but);
  const own = runs.filter((run) => (isPull ? run.pull?.number === issue : run.issue === issue));
  // A wish that was refused since hides no work that goes on.
  return own.find((run) => isOpen(run) && run.state !== "waiting") ?? own[0];
}

/** What is to be started; undefined: a command that starts nothing, or a pull request that is not one of ours. */
async function startFor(
  parts: RunParts,
  { command, issue, isPull, text, asker }: Steer,
  run: RunNote | undefined,
): Promise<Start | undefined> {
  const { verb } = command;
  const common = { asker, trigger: "start-command", ...(text && { text }) } as const;
  if (verb === "autopilot") {
    const among = !isPull && ({ among: true } as const);
    return { ...common, command: "autopilot", item: "reports", issue, ...among };
  }
  if (verb === "retry" && run) return retryOf(parts, { common, task: command.task, run });
  const isWanted = verb === "run" || (verb === "retry" && command.task === undefined);
  if (!isWanted || (isPull && !run)) return undefined;
  // In a pull request the work is that of the issue it came from.
  const number = isPull ? run?.issue : issue;
  if (number === undefined) return { ...common, command: "autopilot", item: "reports" };
  return { ...common, command: "run", item: `issue-${number}`, issue: number };
}

type Retry = {
  common: Pick<Start, "asker" | "trigger" | "text">;
  task: string | undefined;
  run: RunNote;
};

/** The session of the run before goes on; without one all of it begins anew, but for a single task of it. */
async function retryOf(parts: RunParts, { common, task, run }: Retry): Promise<Start | undefined> {
  if (isOpen(run)) return undefined;
  const goesOn = await sessionLeft(parts, run, task);
  if (goesOn) return { ...common, ...workOf(run), goesOn };
  return task === undefined ? { ...common, ...workOf(run) } : undefined;
}

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
      return run && (await cancelRun(parts, run))
        ? "The run is being cancelled; what has passed by then is kept.\n"
        : "Nothing is running here.\n";
    case "run":
      return notOurs;
    case "pause":
    case "resume":
      await setPaused(parts, { place, isPaused: command.verb === "pause" });
      return command.verb === "pause"
        ? "Nothing starts in this repository until somebody writes `/ralph resume`.\n"
        : "Runs start again.\n";
    default:
      return `${help}\n`;
  }
}

/** Whoever wants something tried again that nothing is left of is told so; everything else is heard. */
async function actOnOrder(parts: RunParts, acting: Acting): Promise<string> {
  const { run, steer } = acting;
  if (steer.isPull && !run) return notOurs;
  const isOver = !run || !isOpen(run);
  return steer.command.verb === "retry" && isOver ? nothingLeft : hear(parts, acting);
}

const notOurs = "This pull request is not one of ralph's. Write it in an issue.\n";
const nothingLeft =
  "There is no session whose task could be tried again: nothing was started here yet, its pull request is closed, or GitHub has deleted what it left. `/ralph run` starts a new one.\n";

/** Keeps what steers the work for the workflow that comes next, and answers what it will do. */
async function hear(parts: RunParts, { place, run, steer }: Acting): Promise<string> {
  const { command, issue, asker } = steer;
  const { commentId: comment } = asker;
  if (!isOrder(command) || comment === undefined) return `${help}\n`;
  return hearOrder(parts, { place, issue, comment, run, command });
}
