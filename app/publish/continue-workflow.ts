import type { PublishTask } from "../jobs/job.ts";
import { continueJob, type NewJob } from "../jobs/new-job.ts";
import type { ChildContinuation } from "../jobs/publication.ts";
import { isCancelRequested } from "../runs/cancel-run.ts";
import { countFromToday, dayMs } from "../runs/day-totals.ts";
import { dispatchWorkflow, workflowFile } from "../runs/dispatch-workflow.ts";
import { type DispatchedRun, findRun, saveRun } from "../runs/dispatched-run.ts";
import { endRun, type RunEnd, reportAndSave, reportRun } from "../runs/end-run.ts";
import { findDispatched, syncWithWorkflow } from "../runs/follow-workflow.ts";
import { forgetDelivered, forgetDeliveredBefore, withSteering } from "../runs/queued-steering.ts";
import { openSite, type RunParts, type Site, workflowLeaseMs } from "../runs/run-parts.ts";
import { continuationHoldReason } from "../runs/start-facts.ts";
import { reclaimItem } from "./reclaim.ts";

type Continued = { run: DispatchedRun; task: PublishTask };

/** Continues a session that ran out of time: by a job of its own, at once or when the agent's usage limit ends. */
export async function scheduleContinuation(
  parts: RunParts,
  { run, task }: Continued,
  continuation: Exclude<ChildContinuation, { kind: "stop" }>,
): Promise<NewJob[]> {
  const job = continueJob(task);
  if (continuation.kind === "again") return [job];
  const { until } = continuation;
  const leaseMs = until - parts.clock.now() + workflowLeaseMs;
  const reclaimed = await reclaimItem(await openSite(parts, run.place), run, leaseMs);
  const words = `${run.words ?? ""} The agent's usage limit ends at ${new Date(until).toISOString()}; the run continues then.`;
  const held = reclaimed.kind === "ours" && { claim: reclaimed.claim };
  await reportAndSave(parts, { ...run, words, waits_until: Math.ceil(until), ...held });
  return [{ ...job, startAt: until }];
}

/**
 * Starts the workflow again with the session of the previous one (exit 23). The App holds the item until the new workflow
 * takes it over, so that a lost answer of GitHub still leads to a single workflow that works.
 */
export async function continueWorkflow(parts: RunParts, task: PublishTask): Promise<NewJob[]> {
  const { place, runId, workflow } = task;
  const run = await findRun(parts.notes, { id: runId, place });
  if (run?.state === "started" && run.after === workflow.run) {
    await forgetDeliveredBefore(parts, run);
  }
  if (!run || !isReady(run) || run.workflow?.run !== workflow.run) return [];
  if (await isCancelRequested(parts.notes, run)) {
    await endRun(parts, run, {
      ...{ state: "done", words: stoppedMessage(run), ending: { kind: "cancelled" } },
    });
    return [];
  }
  const site = await openSite(parts, place);
  const reason = await continuationHoldReason(parts, place);
  return reason === undefined ? restart(site, { run, task }) : hold(site, { run, task }, reason);
}

/** Another run has the item, so this one has lost it. */
const taken = (words: string): RunEnd => ({ state: "done", words, ending: { kind: "lost" } });

/** For a run that a person stopped while it was being published. */
export const stoppedMessage = ({ words }: Pick<DispatchedRun, "words">): string =>
  `${words ?? timeUp} The run was stopped, so it does not continue.`;

const timeUp = "The run's time was up.";

const isReady = ({ state, goes_on: continues }: DispatchedRun) =>
  state === "publishing" || (state === "waiting" && continues === true);

async function restart(site: Site, { run, task }: Continued): Promise<NewJob[]> {
  const reclaimed = await reclaimItem(site, run, workflowLeaseMs);
  const next = nextPart(run, { after: task.workflow.run, now: site.clock.now() });
  if (reclaimed.kind === "twin") {
    return syncWithWorkflow(site, { run: next, facts: reclaimed.facts });
  }
  if (reclaimed.kind === "foreign") {
    await endRun(site, run, taken(reclaimed.reason));
    return [];
  }
  const { claim } = reclaimed;
  const steered = await withSteering(site.notes, next);
  const claimed = { ...steered, claim, changed_at: site.clock.now() };
  // The answer to an earlier attempt may be lost; a second workflow would cost a runner.
  const isThere = (await findDispatched(site, claimed)) !== undefined;
  const refusal = isThere ? undefined : await dispatchWorkflow(site.github, claimed);
  if (refusal !== undefined) {
    const words = `${timeUp} ${refusal} To continue by hand: \`gh workflow run ${workflowFile} -f resume-from=${task.workflow.run}\``;
    const ending = { kind: "failed", in: "starting the next part" } as const;
    await endRun(site, { ...run, claim }, { state: "done", words, ending });
    return [];
  }
  await saveRun(site.notes, claimed);
  await forgetDelivered(site, claimed);
  await reportRun(site, claimed);
  return [];
}

/** The run without the traces of its previous workflow. */
function nextPart(
  {
    workflow: _,
    words: __,
    waits_until: ___,
    goes_on: ____,
    waits_for: _____,
    ...run
  }: DispatchedRun,
  { after, now }: { after: number; now: number },
): DispatchedRun {
  return { ...countFromToday(run, now), state: "started", after };
}

/** How long an item is claimed for a held run; after half of that it is claimed again. */
const holdMs = dayMs;

/** Lets the run wait like others, with its item; the next attempt to continue it comes with a wake or a recheck. */
async function hold(site: Site, { run, task }: Continued, reason: string): Promise<NewJob[]> {
  const now = site.clock.now();
  const isFresh = run.goes_on && run.changed_at > now - holdMs / 2;
  const reclaimed = isFresh ? undefined : await reclaimItem(site, run, holdMs);
  if (reclaimed?.kind === "twin") {
    return syncWithWorkflow(site, { run, facts: reclaimed.facts });
  }
  if (reclaimed?.kind === "foreign") {
    await endRun(site, run, taken(reclaimed.reason));
    return [];
  }
  const { waits_until: _, ...rest } = run;
  const held: DispatchedRun = {
    ...rest,
    ...{ state: "waiting", waits_for: "room", goes_on: true, words: reason },
    // Events of the finished workflow no longer count.
    after: task.workflow.run,
    ...(reclaimed && { claim: reclaimed.claim, changed_at: now }),
  };
  await reportAndSave(site, held);
  return [];
}
