import type { Probot } from "probot";
import type { Task } from "../ralph-app.ts";
import { followWorkflow } from "../runs/follow-workflow.ts";
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

/** Jobs are made by us alone; their kind is that of what is wanted. */
function taskOf<Kind extends Wanted["kind"]>(data: unknown, kind: Kind) {
  const { place, wanted } = data as Task;
  if (wanted.kind !== kind) throw new Error(`A job of ${kind} holds a ${wanted.kind}.`);
  return { place, wanted: wanted as Extract<Wanted, { kind: Kind }> };
}
