import type { Probot } from "probot";
import type { Task } from "../ralph-app.ts";
import { followWorkflow } from "../runs/follow-workflow.ts";
import { explainCommand, obeyComment } from "../runs/obey-comment.ts";
import { type RunParts, startRun } from "../runs/start-run.ts";
import type { Job, Queue } from "../store/queue.ts";
import type { Wanted } from "../triggers/wanted.ts";
import { deliveryHandler } from "./handle-delivery.ts";
import type { Handler } from "./worker.ts";

export interface HandlerParts extends RunParts {
  probot: Pick<Probot, "receive">;
  queue: Pick<Queue, "add">;
}

/** Who does what, by the kind of the job. */
export function createHandlers(parts: HandlerParts): Map<string, Handler> {
  return new Map<string, Handler>([
    ["delivery", deliveryHandler(parts.probot)],
    ["start", (job) => start(parts, job)],
    ["workflow", (job) => follow(parts, job)],
    ["steer", (job) => steer(parts, job)],
    ["explain", (job) => explain(parts, job)],
    ["report", (job) => report(parts, job)],
  ]);
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

async function steer(parts: HandlerParts, { id, data }: Job): Promise<void> {
  const { place, wanted } = taskOf(data, "steer");
  await obeyComment(parts, { id, place, steer: wanted });
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

/** Jobs are made by us alone; their kind is that of what is wanted. */
function taskOf<Kind extends Wanted["kind"]>(data: unknown, kind: Kind) {
  const { place, wanted } = data as Task;
  if (wanted.kind !== kind) throw new Error(`A job of ${kind} holds a ${wanted.kind}.`);
  return { place, wanted: wanted as Extract<Wanted, { kind: Kind }> };
}
