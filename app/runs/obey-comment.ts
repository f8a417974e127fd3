import type { Access, Place } from "../access.ts";
import type { NewJob } from "../store/queue.ts";
import { mayTrigger, type Trigger } from "../triggers/authority.ts";
import type { CommentCommand } from "../triggers/comment-command.ts";
import { identifyActor } from "../triggers/identify-actor.ts";
import type { Wanted } from "../triggers/wanted.ts";
import { cancelRun } from "./cancel-run.ts";
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
  const run = await runOf(parts, { place, steer });
  const start = startFor(steer, run);
  if (start) {
    await startRun(parts, { id, place, start });
    return [];
  }
  const body = await act(parts, { place, run, command });
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
  "- `/ralph run` works on this issue, `/ralph autopilot` on the newest report",
  "- `/ralph status`, `/ralph cancel`, `/ralph retry`",
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
  { place, steer: { issue, isPull } }: Omit<Spoken, "id">,
): Promise<RunNote | undefined> {
  const runs = await listRuns(notes, { repositories: [place.repository] });
  const own = runs.filter((run) => (isPull ? run.pull?.number === issue : run.issue === issue));
  // A wish that was refused since hides no work that goes on.
  return own.find((run) => isOpen(run) && run.state !== "waiting") ?? own[0];
}

/** What is to be started; undefined: a command that starts nothing, or a pull request that is not one of ours. */
function startFor(
  { command: { verb }, issue, isPull, asker }: Steer,
  run: RunNote | undefined,
): Start | undefined {
  const common = { asker, trigger: "start-command" } as const;
  if (verb === "autopilot") return { ...common, command: "autopilot", item: "reports", issue };
  if ((verb !== "run" && verb !== "retry") || (isPull && !run)) return undefined;
  if (verb === "retry" && run) return { ...common, ...workOf(run) };
  // In a pull request the work is that of the issue it came from.
  const number = isPull ? run?.issue : issue;
  if (number === undefined) return { ...common, command: "autopilot", item: "reports" };
  return { ...common, command: "run", item: `issue-${number}`, issue: number };
}

const workOf = ({ command, item, issue }: RunNote) => ({
  ...{ command, item },
  ...(issue !== undefined && { issue }),
});

type Acting = {
  place: Place;
  run: RunNote | undefined;
  command: CommentCommand;
};

/** What is answered. */
async function act(parts: RunParts, { place, run, command }: Acting): Promise<string> {
  switch (command.verb) {
    case "status":
      return run ? renderProgress(run) : "Nothing was started here yet.\n";
    case "cancel":
      return run && (await cancelRun(parts, run))
        ? "The run is being cancelled; what has passed by then is kept.\n"
        : "Nothing is running here.\n";
    case "run":
    case "retry":
      return "This pull request is not one of ralph's. Write it in an issue.\n";
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
