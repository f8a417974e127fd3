import type { GitHub } from "../../src/github/api/create-github.ts";
import type { PublishTask } from "../jobs/job.ts";
import type { NewJob } from "../jobs/new-job.ts";
import { continueJob } from "../jobs/new-job.ts";
import { readRepositoryFacts } from "../repositories/repository-facts.ts";
import { isCancelRequested } from "../runs/cancel-run.ts";
import { dispatchRefusalReason } from "../runs/dispatch-refusal.ts";
import { dispatchWorkflow } from "../runs/dispatch-workflow.ts";
import { type DispatchedRun, findRun, saveRun } from "../runs/dispatched-run.ts";
import { endRun, reportRun } from "../runs/end-run.ts";
import { syncWithWorkflow } from "../runs/follow-workflow.ts";
import { forgetDelivered, forgetDeliveredBefore, withSteering } from "../runs/queued-steering.ts";
import { type RunParts, workflowFile, workflowLeaseMs } from "../runs/run-parts.ts";
import { continuationHoldReason, countFromToday } from "../runs/start-facts.ts";
import type { ChildContinuation } from "./child-request.ts";
import { reclaimItem } from "./reclaim.ts";

type Ended = {
  github: GitHub;
  run: DispatchedRun;
  task: PublishTask;
  continuation: Exclude<ChildContinuation, { kind: "stop" }>;
};

/** A session whose time was up goes on by a job of its own: at once, or when the agent's usage limit has ended. */
export async function scheduleContinuation(
  parts: RunParts,
  { github, run, task, continuation }: Ended,
): Promise<NewJob[]> {
  const job = continueJob(task);
  if (continuation.kind === "again") return [job];
  const { until } = continuation;
  const leaseMs = until - parts.clock.now() + workflowLeaseMs;
  const taken = await reclaimItem(parts, { github, run, leaseMs });
  const words = `${run.words ?? ""} The usage limit of the agent ends at ${new Date(until).toISOString()}; it goes on then.`;
  const held = taken.kind === "ours" && { claim: taken.claim };
  const waiting = { ...run, words, waits_until: Math.ceil(until), ...held };
  await reportRun(parts, waiting);
  await saveRun(parts.notes, waiting);
  return [{ ...job, startAt: until }];
}

/**
 * Starts the workflow again with the session of the one before (exit 23). The item stays ours until the new workflow takes
 * it over, so that an answer of GitHub's that gets lost leads to one that works.
 */
export async function continueWorkflow(parts: RunParts, task: PublishTask): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const run = await findRun(parts.notes, { id: runId, repository: place.repository });
  if (run?.state === "started" && run.after === workflow.run)
    await forgetDeliveredBefore(parts, run);
  if (!run || !isReady(run) || run.workflow?.run !== workflow.run) return [];
  if (await isCancelRequested(parts.notes, run)) {
    await endRun(parts, run, { state: "done", words: stoppedMessage(run) });
    return [];
  }
  const github = await parts.access.github(place);
  const why = await continuationHoldReason(parts, place);
  if (why !== undefined) return hold(parts, { github, run, task, why });
  const {
    workflow: _,
    words: __,
    waits_until: ___,
    goes_on: ____,
    waits_for: _____,
    ...rest
  } = run;
  const day = countFromToday(rest, parts.clock.now());
  const next: DispatchedRun = { ...day, state: "started", after: workflow.run };
  const taken = await reclaimItem(parts, { github, run, leaseMs: workflowLeaseMs });
  if (taken.kind === "twin") {
    return syncWithWorkflow(parts, { github, run: next, facts: taken.facts });
  }
  if (taken.kind === "foreign") {
    await endRun(parts, run, { state: "done", words: taken.words });
    return [];
  }
  const heard = await withSteering(parts.notes, next);
  const claimed = { ...heard, claim: taken.claim, changed_at: parts.clock.now() };
  const refusal = await dispatch(github, claimed);
  if (refusal !== undefined) {
    await endRun(parts, { ...run, claim: taken.claim }, { state: "done", words: refusal });
    return [];
  }
  await saveRun(parts.notes, claimed);
  await forgetDelivered(parts, claimed);
  await reportRun(parts, claimed);
  return [];
}

/** Somebody has wanted no more of it while it was published. */
export const stoppedMessage = ({ words }: Pick<DispatchedRun, "words">): string =>
  `${words ?? "Its time was up."} Somebody has stopped it, so it does not go on.`;

const isReady = ({ state, goes_on }: DispatchedRun) =>
  state === "publishing" || (state === "waiting" && goes_on === true);

/** So long an item is kept for a run that is held, and after half of it taken again. */
const heldMs = 24 * 60 * 60_000;

type Held = Omit<Ended, "continuation"> & { why: string };

/** It waits as others do, with its item; whoever looks again tries to go on with it. */
async function hold(parts: RunParts, { github, run, task, why }: Held): Promise<NewJob[]> {
  const now = parts.clock.now();
  const isFresh = run.goes_on && run.changed_at > now - heldMs / 2;
  const taken = isFresh ? undefined : await reclaimItem(parts, { github, run, leaseMs: heldMs });
  if (taken?.kind === "twin") {
    return syncWithWorkflow(parts, { github, run, facts: taken.facts });
  }
  if (taken?.kind === "foreign") {
    await endRun(parts, run, { state: "done", words: taken.words });
    return [];
  }
  const { waits_until: _, ...rest } = run;
  const held: DispatchedRun = {
    ...rest,
    ...{ state: "waiting", waits_for: "room", goes_on: true, words: why },
    // Nothing more is told of the workflow that is over.
    after: task.workflow.run,
    ...(taken && { claim: taken.claim, changed_at: now }),
  };
  await reportRun(parts, held);
  await saveRun(parts.notes, held);
  return [];
}

/** Answers why GitHub will not start it, for people. */
async function dispatch(github: GitHub, run: DispatchedRun): Promise<string | undefined> {
  const { default_branch: ref } = await readRepositoryFacts(github);
  try {
    const resumeFrom = run.after ?? 0;
    await dispatchWorkflow(github, run, { workflow: workflowFile, ref, resumeFrom });
    return undefined;
  } catch (error) {
    const why = dispatchRefusalReason(error, workflowFile);
    if (why === undefined) throw error;
    return `${run.words ?? "Its time was up."} ${why} To go on by hand: \`gh workflow run ${workflowFile} -f resume-from=${run.after}\``;
  }
}
