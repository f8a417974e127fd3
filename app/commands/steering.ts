import {
  type CommentCommand,
  type SteeringVerb,
  steeringVerbs,
} from "../../src/github/issues/comment-command.ts";
import { dollars } from "../../src/text/figures.ts";
import type { Place } from "../access/place.ts";
import { type DispatchedRun, isOpen, isPlan } from "../runs/dispatched-run.ts";
import { concernsTaskList, keepSteering, threadOf } from "../runs/queued-steering.ts";
import { resumableSession } from "../runs/resumable-session.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** A command that steers the work itself. */
export type SteerCommand = Extract<CommentCommand, { verb: SteeringVerb }>;

export const isSteerCommand = (command: CommentCommand): command is SteerCommand =>
  steeringVerbs.some((verb) => verb === command.verb);

type Heard = {
  place: Place;
  /** Where it was said. */
  issue: number;
  comment: number;
  run: DispatchedRun | undefined;
  command: SteerCommand;
};

/**
 * Keeps a command for the next workflow of a thread, and answers what it will do and when. One that names a task is none
 * where there is no list: a list that is planned later has tasks of its own.
 */
export async function queueSteeringCommand(
  parts: RunParts,
  { place, issue, comment, run, command }: Heard,
): Promise<string> {
  const next = await nextList(parts, run, command);
  if (next === "new" && concernsTaskList(command)) return noList;
  const thread = (run && threadOf(run)) ?? issue;
  const order = { comment, verb: command.verb };
  const isKept = await keepSteering(parts, { place, thread, order, run });
  if (!isKept)
    return "This is one comment too many: so many steer this run already. It counts nothing.\n";
  return `${whatFollows(command)} ${whenItCounts(run, concernsTaskList(command))}\n`;
}

const noList =
  "There is no task list here that goes on, so nobody knows what its tasks would be. Write it once more when there is one; what is to be left out from the beginning, say in the issue's text or with `/ralph hint`.\n";

/** Whether what begins here next works on the list there is, or plans a new one. */
async function nextList(
  parts: RunParts,
  run: DispatchedRun | undefined,
  command: SteerCommand,
): Promise<"known" | "new"> {
  if (!run) return "new";
  const isUnbegun = run.state === "waiting" || run.state === "claimed";
  if (isOpen(run)) return isUnbegun && run.after === undefined ? "new" : "known";
  // A plan that was approved goes on with its list.
  if (!concernsTaskList(command) || isPlan(run)) return "known";
  const task = "task" in command ? command.task : undefined;
  return (await resumableSession(parts, run, task)) ? "known" : "new";
}

function whatFollows(command: SteerCommand): string {
  switch (command.verb) {
    case "skip":
      return `${command.task} is left out, and what cannot be done without it. The pull request says so and stays a draft. Where there is no such task, the run's page says that.`;
    case "hint":
      return "The agents that work next are told this line.";
    case "budget":
      return `The run may cost ${dollars(command.usd)} in all, with what it has spent so far.`;
    case "retry":
      return `${command.task ?? "What failed or is blocked"} gets a new start.`;
  }
}

function whenItCounts(run: DispatchedRun | undefined, isOfThisList: boolean): string {
  if (!run || !isOpen(run)) {
    return isOfThisList
      ? "It counts when this list goes on: by `/ralph retry`, or when its plan is approved."
      : "It counts for what is started here next: by `/ralph run`, `/ralph retry` or the label.";
  }
  if (run.state === "waiting") return "It counts when the run that waits here begins.";
  const next = isOfThisList ? "after `/ralph retry`" : "for what is started here next";
  return `A run is at work right now, so it counts from its next part on: when it is continued, or ${next}.`;
}
