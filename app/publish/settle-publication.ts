import type { StopReason } from "../../src/error.ts";
import type { JobData } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import type { PushEnd } from "../jobs/publication.ts";
import { isCancelRequested } from "../runs/cancel-run.ts";
import { type DispatchedRun, findRun } from "../runs/dispatched-run.ts";
import {
  endPublication,
  escapeWords,
  overJob,
  releaseRunClaim,
  saveChange,
  wasPublished,
} from "../runs/end-run.ts";
import { endingOfSession } from "../runs/ending.ts";
import { scheduleContinuation, stoppedMessage } from "./continue-workflow.ts";
import { type PublishParts, publishRun } from "./publish-run.ts";

type Settling = { run: DispatchedRun; task: JobData["publish"] };

/** Records the outcome of a publication, unless a newer attempt of the workflow run has begun. */
export async function settlePublication(
  parts: PublishParts,
  { end, ...task }: JobData["settle"],
): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const run = await findRun(parts.notes, { id: runId, place });
  if (run?.workflow?.run !== workflow.run || run.workflow.attempt !== workflow.attempt) return [];
  if (wasPublished(run, task)) {
    await releaseRunClaim(parts, run);
    return [overJob(task)];
  }
  switch (end.kind) {
    case "unclaimed":
      // It says who has the item now.
      return publishRun(parts, task);
    case "failed": {
      const ending = { kind: "failed", in: "publishing" } as const;
      return endPublication(parts, { run, task }, { words: end.message, ending });
    }
    case "published":
      return conclude(parts, { run, task }, end);
  }
}

async function conclude(
  parts: PublishParts,
  { run: before, task }: Settling,
  end: Extract<PushEnd, { kind: "published" }>,
): Promise<NewJob[]> {
  const { message, continuation } = end;
  const run = await saveChange(parts, withResult(before, end));
  if (continuation?.kind === "again" || continuation?.kind === "wait") {
    if (await isCancelRequested(parts.notes, run)) {
      const cancelled = { words: stoppedMessage(run), ending: { kind: "cancelled" } as const };
      return endPublication(parts, { run, task }, cancelled);
    }
    return scheduleContinuation(parts, { run, task }, continuation);
  }
  const more = continuation ? ` ${continuation.why}` : "";
  const ending = endingOfSession({
    ...{ stop: end.stop as StopReason | undefined, isLowValue: end.isLowValue === true },
    ...{ pull: run.pull, tasks: run.tasks },
  });
  return endPublication(parts, { run, task }, { words: `${message}${more}`, ending });
}

function withResult(
  run: DispatchedRun,
  { message, pull, figures, branch, left }: Extract<PushEnd, { kind: "published" }>,
): DispatchedRun {
  return {
    ...run,
    // A person's decision about the pull request came while it was being published.
    words: run.outcome && run.words ? run.words : escapeWords(message),
    ...(pull && { pull }),
    ...(branch !== undefined && { branch }),
    ...(left && { left }),
    ...(figures && { tasks: { passed: figures.passed, total: figures.total } }),
    ...(figures?.cost_usd !== undefined && { cost_usd: figures.cost_usd }),
  };
}
