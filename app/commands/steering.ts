import {
  type CommentCommand,
  type SteeringVerb,
  steeringVerbs,
} from "../../src/github/issues/comment-command.ts";
import { dollars } from "../../src/text/figures.ts";
import type { Place } from "../access/place.ts";
import { type DispatchedRun, isOpen, isPlan } from "../runs/dispatched-run.ts";
import { resumableSession } from "../runs/find-artifacts.ts";
import { concernsTaskList, queueSteering, threadOf } from "../runs/queued-steering.ts";
import type { RunParts } from "../runs/run-parts.ts";

/** A command that steers a run's work. */
export type SteerCommand = Extract<CommentCommand, { verb: SteeringVerb }>;

export const isSteerCommand = (command: CommentCommand): command is SteerCommand =>
  steeringVerbs.some((verb) => verb === command.verb);

type Steering = {
  place: Place;
  /** The issue or pull request of the comment. */
  issue: number;
  comment: number;
  run: DispatchedRun | undefined;
  command: SteerCommand;
};

/**
 * Queues a command for the next workflow of its thread; returns an answer with its effect. A command that names a task is
 * rejected while there is no task list: a later list has other tasks.
 */
export async function queueSteeringCommand(
  parts: RunParts,
  { place, issue, comment: number, run, command }: Steering,
): Promise<string> {
  const isTaskCommand = concernsTaskList(command);
  if (isTaskCommand && (await planNewList(parts, run, command))) return noList;
  const thread = (run && threadOf(run)) ?? issue;
  const comment = { comment: number, verb: command.verb };
  if (!(await queueSteering(parts, { place, thread, comment, run }))) return tooMany;
  return `${effectOf(command)} ${effectiveFrom(run, isTaskCommand)}\n`;
}

const tooMany = "Too many steering comments for this run; this one is ignored.\n";

const noList =
  "There is no task list here to continue, so the command has no task to apply to. Write it again once there is a list; to leave something out from the start, describe that in the issue or with `/ralph hint`.\n";

/** Whether the next run here plans a new task list instead of continuing the current one. */
async function planNewList(
  parts: RunParts,
  run: DispatchedRun | undefined,
  command: SteerCommand,
): Promise<boolean> {
  if (!run) return true;
  const isUnstarted = run.state === "waiting" || run.state === "claimed";
  if (isOpen(run)) return isUnstarted && run.after === undefined;
  // An approved plan continues with its list.
  if (isPlan(run)) return false;
  const task = "task" in command ? command.task : undefined;
  return !(await resumableSession(parts, run, task));
}

function effectOf(command: SteerCommand): string {
  switch (command.verb) {
    case "skip":
      return `${command.task} is skipped, and so is every task that depends on it. The pull request lists them and stays a draft. If there is no such task, the workflow run's page says so.`;
    case "hint":
      return "The next agents receive this hint.";
    case "budget":
      return `The run may cost ${dollars(command.usd)} in total, including its cost so far.`;
    case "retry":
      return command.task === undefined
        ? "All failed and blocked tasks are tried again."
        : `${command.task} is tried again.`;
  }
}

function effectiveFrom(run: DispatchedRun | undefined, isTaskCommand: boolean): string {
  if (!run || !isOpen(run)) {
    return isTaskCommand
      ? "This takes effect when the task list continues: by `/ralph retry`, or when its plan is approved."
      : "This takes effect with the next start here: by `/ralph run`, `/ralph retry` or the label.";
  }
  if (run.state === "waiting") return "This takes effect when the waiting run begins.";
  const next = isTaskCommand ? "after `/ralph retry`" : "with the next start here";
  return `A run is at work, so this takes effect with its next part: when it continues, or ${next}.`;
}
