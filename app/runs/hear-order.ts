import {
  type CommentCommand,
  type OrderVerb,
  orderVerbs,
} from "../../src/github/comment-command.ts";
import { dollars } from "../../src/run/dollars.ts";
import type { Place } from "../access.ts";
import { isOpen, type RunNote } from "./run-note.ts";
import type { RunParts } from "./start-run.ts";
import { keepOrder, threadOf } from "./thread-orders.ts";

/** A command that steers the work itself. */
export type OrderCommand = Extract<CommentCommand, { verb: OrderVerb }>;

export const isOrder = (command: CommentCommand): command is OrderCommand =>
  orderVerbs.some((verb) => verb === command.verb);

type Heard = {
  place: Place;
  /** Where it was said. */
  issue: number;
  comment: number;
  run: RunNote | undefined;
  command: OrderCommand;
};

/** Keeps a command for the next workflow of a thread, and answers what it will do and when. */
export async function hearOrder(
  parts: RunParts,
  { place, issue, comment, run, command }: Heard,
): Promise<string> {
  const thread = (run && threadOf(run)) ?? issue;
  const order = { comment, verb: command.verb };
  const isKept = await keepOrder(parts, { place, thread, order, run });
  if (!isKept)
    return "This is one comment too many: so many steer this run already. It counts nothing.\n";
  return `${whatFollows(command)} ${whenItCounts(run)}\n`;
}

function whatFollows(command: OrderCommand): string {
  switch (command.verb) {
    case "skip":
      return `${command.task} is left out, and what cannot be done without it. The pull request says so and stays a draft. Where there is no such task, the run's page says that.`;
    case "hint":
      return "The agents that work next are told.";
    case "budget":
      return `The run may cost ${dollars(command.usd)} in all, with what it has spent so far.`;
    case "retry":
      return `${command.task ?? "What failed or is blocked"} gets a new start.`;
  }
}

function whenItCounts(run: RunNote | undefined): string {
  if (!run || !isOpen(run)) {
    return "It counts for what is started here next: by `/ralph run`, `/ralph retry` or the label.";
  }
  if (run.state === "waiting") return "It counts when the run that waits here begins.";
  return "A run is at work right now, so it counts from its next part on: when it is continued, or after `/ralph retry`.";
}
