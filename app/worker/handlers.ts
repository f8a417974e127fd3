import type { Probot } from "probot";
import type { Place } from "../access/place.ts";
import {
  type AnswerTask,
  explainCommand,
  giveAnswer,
  obeyComment,
} from "../commands/handle-command.ts";
import { obeyTicks } from "../dashboard/handle-ticks.ts";
import { showDashboard } from "../dashboard/refresh-dashboard.ts";
import type { Task } from "../jobs/job.ts";
import { type PublishTask, type ShowTask, showJob } from "../jobs/new-job.ts";
import { offerSetup, welcome } from "../onboarding/onboarding.ts";
import { paceOffer } from "../onboarding/throttle-onboarding.ts";
import { continueRun } from "../publish/continue-workflow.ts";
import { type PublishParts, publishRun } from "../publish/publish-run.ts";
import { humanPush } from "../pulls/human-push.ts";
import { pullClosed } from "../pulls/pull-closed.ts";
import { recheck } from "../recovery/recheck.ts";
import { redeliver, sweep, tick } from "../recovery/reconcile.ts";
import { wakeWaiting } from "../recovery/wake-waiting.ts";
import type { Wanted } from "../rules/wanted.ts";
import { cancelUnseen } from "../runs/cancel-run.ts";
import { followWorkflow } from "../runs/follow-workflow.ts";
import { startRun } from "../runs/start-run.ts";
import { type SlotTask, serveSlot } from "../schedule/schedule.ts";
import type { Job, NewJob, Queue } from "../store/queue.ts";
import { deliveryHandler } from "./handle-delivery.ts";
import type { Handler } from "./worker.ts";

export interface HandlerParts extends PublishParts {
  probot: Pick<Probot, "receive">;
  queue: Pick<Queue, "add">;
}

/** Who does what, by the kind of the job. */
export function createHandlers(parts: HandlerParts): Map<string, Handler> {
  const handlers: [string, Handler][] = [
    ["delivery", deliveryHandler(parts.probot)],
    ["start", (job) => start(parts, job)],
    ["workflow", (job) => follow(parts, job)],
    ["steer", (job) => steer(parts, job)],
    ["explain", (job) => explain(parts, job)],
    ["answer", ({ data }) => giveAnswer(parts, data as AnswerTask)],
    ["report", (job) => report(parts, job)],
    ["publish", (job, signal) => publish(stoppable(parts, signal), job)],
    ["continue", (job) => resume(parts, job)],
    ...remoteHandlers(parts),
    ...clockHandlers(parts),
  ];
  return new Map([...handlers.map((each) => thenShown(parts, each)), ...dashboardHandlers(parts)]);
}

/** What may change how a run stands. */
const changing = new Set([
  ...["start", "workflow", "steer", "report", "publish", "continue", "pull-closed", "human-push"],
  ...["recheck", "wake", "schedule"],
]);

/**
 * A workflow that has become known may be one somebody wants no more. The dashboard follows in a job of its own: what goes
 * wrong with it holds up nothing else.
 */
function thenShown(parts: HandlerParts, [kind, handler]: [string, Handler]): [string, Handler] {
  if (!changing.has(kind)) return [kind, handler];
  const shown: Handler = async (job, signal) => {
    await handler(job, signal);
    await cancelUnseen(parts, placeOf(job.data));
    await parts.queue.add([showJob(placeOf(job.data), job.id)]);
  };
  return [kind, shown];
}

function dashboardHandlers(parts: HandlerParts): [string, Handler][] {
  return [
    ["show", ({ data }) => showDashboard(parts, data as ShowTask)],
    ["dashboard", (job) => obey(parts, job)],
  ];
}

async function obey(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "dashboard");
  await parts.queue.add(await obeyTicks(parts, { id, place, ticked: wanted }));
}

/** What people do with what is ours. */
function remoteHandlers(parts: HandlerParts): [string, Handler][] {
  return [
    ["welcome", (job) => greet(parts, job)],
    ["pace", (job) => pace(parts, job)],
    ["offer", ({ data }) => offerSetup(parts, placeOf(data))],
    ["pull-closed", (job) => closed(parts, job)],
    ["human-push", (job) => pushed(parts, job)],
  ];
}

/** What nobody asks for: it comes from the clock, or makes up for events that were lost. */
function clockHandlers(parts: HandlerParts): [string, Handler][] {
  const then = (more: (job: Job) => Promise<NewJob[]>): Handler => {
    return async (job) => void (await parts.queue.add(await more(job)));
  };
  return [
    ["tick", then(() => tick(parts))],
    ["sweep", then(({ id }) => sweep(parts, id))],
    ["redeliver", then(({ id }) => redeliver(parts, id))],
    ["recheck", then(({ data }) => recheck(parts, placeOf(data)))],
    ["wake", then(({ data }) => wakeWaiting(parts, placeOf(data)))],
    ["schedule", ({ id, data }) => serveSlot(parts, { id, task: data as SlotTask })],
  ];
}

async function start(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "start");
  const trigger = wanted.label === undefined ? "start-command" : labelTriggers[wanted.command];
  await startRun(parts, { id, place, start: { ...wanted, trigger } });
}

const labelTriggers = { run: "label", autopilot: "autopilot-label" } as const;

async function follow(parts: HandlerParts, { data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "workflow");
  const next = await followWorkflow(parts, { place, run: wanted.run });
  if (next) await parts.queue.add([next]);
}

async function publish(parts: HandlerParts, { data, attempt }: Job): Promise<void> {
  await parts.queue.add(await publishRun(parts, { task: data as PublishTask, attempt }));
}

/** A publication may take long; whoever stops the App has it done again by the next one. */
const stoppable = (parts: HandlerParts, signal: AbortSignal): HandlerParts => ({
  ...parts,
  publisher: { ...parts.publisher, signal },
});

async function resume(parts: HandlerParts, { data }: Job): Promise<void> {
  await parts.queue.add(await continueRun(parts, data as PublishTask));
}

async function steer(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "steer");
  await parts.queue.add(await obeyComment(parts, { id, place, steer: wanted }));
}

async function explain(parts: HandlerParts, { data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "explain");
  await explainCommand(parts, { place, explain: wanted });
}

/** Discovery takes the newest report nobody has worked on, which a pushed one is. */
async function report(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "report");
  const { asker } = wanted;
  const start = { command: "autopilot", item: "reports", asker, trigger: "report-push" } as const;
  await startRun(parts, { id, place, start });
}

async function greet(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place } = taskOf(data, "welcome");
  await parts.queue.add(await welcome(parts, { id, place }));
}

async function pace(parts: HandlerParts, { id, data }: Job): Promise<void> {
  await parts.queue.add(await paceOffer(parts, { id, place: placeOf(data) }));
}

async function closed(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "pull-closed");
  await parts.queue.add(await pullClosed(parts, { id, place, number: wanted.pull }));
}

async function pushed(parts: HandlerParts, { data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "human-push");
  await humanPush(parts, { place, number: wanted.pull });
}

const placeOf = (data: unknown) => (data as { place: Place }).place;

/** Jobs are made by us alone; their kind is that of what is wanted. */
function taskOf<Kind extends Wanted["kind"]>(data: unknown, kind: Kind) {
  const { place, wanted } = data as Task;
  if (wanted.kind !== kind) throw new Error(`A job of ${kind} holds a ${wanted.kind}.`);
  return { place, wanted: wanted as Extract<Wanted, { kind: Kind }> };
}
