import { createWorkRequest, issueToRead, type WorkRequest } from "../../src/schema/work-request.ts";
import type { JobData } from "../jobs/job.ts";
import { type DispatchedRun, isOpen } from "../runs/dispatched-run.ts";
import { resumableSession } from "../runs/find-artifacts.ts";
import { type RunParts, requestAgain, type Start } from "../runs/run-parts.ts";

type Origin = Pick<WorkRequest, "trigger" | "actor" | "textDigest">;

/**
 * The start a comment asks for; undefined for a command that starts nothing, and in a pull request that does not belong
 * to ralph. `run` is the run the comment refers to.
 */
export async function startFromCommand(
  parts: RunParts,
  comment: JobData["steer"],
  run: DispatchedRun | undefined,
): Promise<Start | undefined> {
  const { command, issue, isPull, textDigest, actor } = comment;
  const origin = { trigger: "start-command", actor, textDigest } as const;
  switch (command.verb) {
    case "autopilot": {
      const alternativeIssue = isPull ? undefined : issue;
      const work = { command: "autopilot", item: "reports", issue, alternativeIssue } as const;
      return { request: createWorkRequest({ ...origin, ...work }) };
    }
    case "retry":
      if (run) return retryOf(parts, { origin, task: command.task, run });
      return command.task === undefined ? newWork(origin, comment, run) : undefined;
    case "run":
      return newWork(origin, comment, run);
    default:
      return undefined;
  }
}

/** In a pull request the work is that of the issue it came from. */
function newWork(
  origin: Origin,
  { issue, isPull }: JobData["steer"],
  run: DispatchedRun | undefined,
): Start | undefined {
  if (isPull && !run) return undefined;
  const number = isPull ? run && issueToRead(run.request) : issue;
  const work =
    number === undefined
      ? ({ command: "autopilot", item: "reports" } as const)
      : ({ command: "run", item: `issue-${number}`, issue: number } as const);
  return { request: createWorkRequest({ ...origin, ...work }) };
}

type Retry = { origin: Origin; task: string | undefined; run: DispatchedRun };

/** Continues the session of the earlier run; without a session the whole run starts over, but never a single task. */
async function retryOf(parts: RunParts, { origin, task, run }: Retry): Promise<Start | undefined> {
  if (isOpen(run) || (task === undefined && isComplete(run))) return undefined;
  const request = requestAgain(run.request, origin);
  const resumes = await resumableSession(parts, run, task);
  if (resumes) return { request, resumes };
  return task === undefined ? { request } : undefined;
}

/** Whether all tasks have passed and the pull request was not rejected, so that there is nothing to retry. */
export function isComplete({ outcome, pull, tasks }: DispatchedRun): boolean {
  const isWanted = outcome === undefined || outcome === "merged";
  return isWanted && pull !== undefined && tasks !== undefined && tasks.passed >= tasks.total;
}
