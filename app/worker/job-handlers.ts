import type { Probot } from "probot";
import * as z from "zod";
import { explainCommand, giveAnswer } from "../commands/answer-command.ts";
import { handleCommand } from "../commands/handle-command.ts";
import { actOnRun, handleTicks } from "../dashboard/handle-ticks.ts";
import { nextUpdateJob, refreshDashboard } from "../dashboard/refresh-dashboard.ts";
import { type JobData, type JobKind, PermanentJobError, parseJob } from "../jobs/job.ts";
import { type JobQueue, type NewJob, recheckJob } from "../jobs/new-job.ts";
import { onboard, openSetupPull, setUpNow } from "../onboarding/onboarding.ts";
import { throttleOffer } from "../onboarding/throttle-onboarding.ts";
import { continueWorkflow } from "../publish/continue-workflow.ts";
import { type PublishParts, publishRun } from "../publish/publish-run.ts";
import { pushSession } from "../publish/push-session.ts";
import { settlePublication } from "../publish/settle-publication.ts";
import { handleHumanPush, handlePullClosed } from "../pulls/pull-events.ts";
import { endLostRuns, recheckRepository } from "../recovery/recheck.ts";
import {
  namedGroup,
  recheckInstallation,
  reconcile,
  redeliver,
  tick,
} from "../recovery/reconcile.ts";
import { wakeWaiting } from "../recovery/wake-waiting.ts";
import { RepositoryOutOfReachError } from "../repositories/settle-place.ts";
import { cancelPending } from "../runs/cancel-run.ts";
import { followWorkflow } from "../runs/follow-workflow.ts";
import { startRun } from "../runs/start-run.ts";
import { serveSlot } from "../schedule/schedule.ts";
import type { Queue, TakenJob } from "../store/queue.ts";
import { adoptNamed, settleJob } from "./settle-job.ts";
import type { HandleJob } from "./worker.ts";

export interface HandlerParts extends PublishParts {
  probot: Pick<Probot, "receive">;
  queue: JobQueue & Pick<Queue, "regroup">;
}

/** A job as its handler receives it. */
type JobOf<Kind extends JobKind> = {
  [Each in Kind]: { kind: Each; data: JobData[Each]; id: string; attempt: number };
}[Kind];

/** Runs a job and returns the jobs that follow. */
type JobHandler<Kind extends JobKind> = (
  parts: HandlerParts,
  job: JobOf<Kind>,
) => Promise<NewJob[]>;

const nothingFollows = async (act: Promise<void>): Promise<NewJob[]> => {
  await act;
  return [];
};

/** A pushed report is not named: discovery finds it, as the newest one without a run. */
const start: JobHandler<"start" | "report"> = (parts, { id, data: { place, ...start } }) =>
  nothingFollows(startRun(parts, { id, place, start }));

/** The handler of each kind of job. */
const handlers: { [Kind in JobKind]: JobHandler<Kind> } = {
  delivery: (parts, job) => nothingFollows(handleDelivery(parts, job)),
  start,
  report: start,
  steer: handleCommand,
  explain: (parts, { data }) => nothingFollows(explainCommand(parts, data)),
  answer: (parts, { data }) => nothingFollows(giveAnswer(parts, data)),
  workflow: (parts, { data }) => followWorkflow(parts, data),
  publish: (parts, { data }) => publishRun(parts, data),
  push: pushSession,
  settle: (parts, { data }) => settlePublication(parts, data),
  continue: (parts, { data }) => continueWorkflow(parts, data),
  "pull-closed": handlePullClosed,
  "human-push": (parts, { data }) => nothingFollows(handleHumanPush(parts, data)),
  dashboard: handleTicks,
  act: (parts, job) => nothingFollows(actOnRun(parts, job)),
  show: (parts, { data }) => refreshDashboard(parts, data),
  welcome: onboard,
  pace: throttleOffer,
  offer: (parts, { data }) => nothingFollows(openSetupPull(parts, data.place)),
  setup: setUpNow,
  recheck: (parts, { data }) => recheckRepository(parts, data.place),
  wake: (parts, { data }) => wakeWaiting(parts, data.place),
  schedule: (parts, job) => nothingFollows(serveSlot(parts, job)),
  deleted: (parts, { data }) => nothingFollows(endLostRuns(parts, data)),
  reinstalled: recheckInstallation,
  adopt: async (parts, { id, data: { named } }) => {
    const place = await adoptNamed(parts, { named, group: namedGroup(named) });
    return [recheckJob(place, id)];
  },
  tick,
  sweep: reconcile,
  redeliver,
};

/** Jobs that may change the status of a run, so that the dashboard is updated afterwards. */
const changesRuns: ReadonlySet<JobKind> = new Set<JobKind>([
  ...(["start", "report", "steer", "workflow", "publish", "settle", "continue"] as const),
  ...(["pull-closed", "human-push", "act", "recheck", "wake", "schedule"] as const),
]);

/** Runs jobs of every kind; an unreadable job fails permanently. */
export const createJobHandler =
  (parts: HandlerParts): HandleJob =>
  async (stored, signal) => {
    const { id, attempt } = stored;
    const settled = await settleOrDrop(parts, stored);
    if (!settled) return;
    // Publishing may take long: when the App stops, it is repeated after the next start.
    const publisher = { ...parts.publisher, signal };
    await runJob({ ...parts, publisher }, { ...parseJob(settled), id, attempt });
  };

/** For ten minutes a repository may be on its way to another account, whose installation is not known yet. */
const reachAttempts = 8;

/** Later events or the clock add these again. */
const recurring = new Set(["show", "wake", "schedule"]);

/** Undefined for a job whose repository stays out of reach. */
async function settleOrDrop(parts: HandlerParts, job: TakenJob): Promise<TakenJob | undefined> {
  try {
    return await settleJob(parts, job);
  } catch (error) {
    const isFinal = recurring.has(job.kind) || job.attempt >= reachAttempts;
    if (!(error instanceof RepositoryOutOfReachError) || !isFinal) throw error;
    const { id, kind, group } = job;
    parts.record("job-dropped", { job: id, kind, group, reason: error.message });
    return undefined;
  }
}

async function runJob<Kind extends JobKind>(parts: HandlerParts, job: JobOf<Kind>): Promise<void> {
  const handle: JobHandler<Kind> = handlers[job.kind];
  await parts.queue.add(await handle(parts, job));
  if (changesRuns.has(job.kind)) await thenRefresh(parts, job);
}

/**
 * Cancels workflows that became known after a person had cancelled their run. Updates the dashboard by a job of its own,
 * so that a failure there repeats nothing else.
 */
async function thenRefresh(
  parts: HandlerParts,
  { data }: Pick<JobOf<JobKind>, "data">,
): Promise<void> {
  if (!("place" in data)) return;
  await cancelPending(parts, data.place);
  await parts.queue.add([await nextUpdateJob(parts.notes, data.place)]);
}

/** Passes a stored delivery to the Probot App. A payload that does not fit its rule fails permanently. */
async function handleDelivery(
  { probot }: { probot: Pick<Probot, "receive"> },
  { id, data }: { id: string; data: JobData["delivery"] },
): Promise<void> {
  const { event: name, payload } = data;
  try {
    await probot.receive({ id, name, payload } as Parameters<Probot["receive"]>[0]);
  } catch (error) {
    throw causeOf(error, name);
  }
}

/** The original error behind the library's wrappers. */
function causeOf(error: unknown, name: string): unknown {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause = first instanceof Error && first.cause ? first.cause : first;
  if (!(cause instanceof z.ZodError)) return first;
  return new PermanentJobError(
    `the payload of ${name} is not as expected: ${z.prettifyError(cause)}`,
  );
}
