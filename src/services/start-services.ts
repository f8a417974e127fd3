import type { ServicePlan } from "../core/verify/plan-services.ts";
import { readableLines } from "../gates/readable-lines.ts";
import { describeEnd, runShell } from "../gates/run-shell.ts";
import { isPortOpen } from "../platform/net/is-port-open.ts";
import { describePortOwner } from "../platform/process/listening-ports.ts";
import { createStopwatch } from "./health.ts";
import { type Service, type ServiceDeps, type ServiceFailure, startService } from "./service.ts";

/** Healthy services, which run until they are disposed of. */
export interface RunningServices extends AsyncDisposable {
  /** Resolves with the first service that ends by itself. */
  crashed: Promise<ServiceFailure>;
}

export type StartedServices =
  | { kind: "up"; services: RunningServices }
  | { kind: "failed"; failure: ServiceFailure };

const buildMs = 600_000;

/**
 * Builds and starts all services side by side, and waits until each is healthy. When one fails, all are stopped. A
 * cancelled start counts as failed; the caller knows its own signal.
 */
export async function startServices(
  deps: ServiceDeps,
  plans: readonly ServicePlan[],
): Promise<StartedServices> {
  const elapsed = createStopwatch();
  const started: Service[] = [];
  const failure = (await beforeStart(deps, plans)) ?? (await bringUp(deps, plans, started));
  if (!failure) return { kind: "up", services: running(started) };
  await deps.notice({ type: "service_failed", ...failure, ms: elapsed() });
  await stopAll(started);
  return { kind: "failed", failure };
}

async function beforeStart(
  deps: ServiceDeps,
  plans: readonly ServicePlan[],
): Promise<ServiceFailure | undefined> {
  for (const plan of plans) {
    const failure = (await checkPort(deps, plan)) ?? (await build(deps, plan));
    if (failure) return failure;
  }
  return undefined;
}

async function checkPort(
  { connectTo }: ServiceDeps,
  { name, port }: ServicePlan,
): Promise<ServiceFailure | undefined> {
  if (connectTo(port) || !(await isPortOpen(port))) return undefined;
  const owner = describePortOwner(port) ?? "another program";
  return { service: name, why: "port", detail: `port ${port} is taken by ${owner}` };
}

async function build(deps: ServiceDeps, plan: ServicePlan): Promise<ServiceFailure | undefined> {
  if (plan.build === undefined) return undefined;
  const place = { ...deps, env: { ...deps.env, ...plan.variables } };
  const { end, output } = await runShell(place, { cmd: plan.build, timeoutMs: buildMs });
  if (end.kind === "exited" && end.code === 0) return undefined;
  const lines = readableLines(output.slice(-16_000)).slice(-20);
  const detail = [`its build failed: ${describeEnd(end, buildMs)}`, ...lines].join("\n").trim();
  return { service: plan.name, why: "build", detail };
}

async function bringUp(
  deps: ServiceDeps,
  plans: readonly ServicePlan[],
  started: Service[],
): Promise<ServiceFailure | undefined> {
  for (const plan of plans) {
    const service = await startService(deps, plan);
    if ("why" in service) return service;
    started.push(service);
  }
  const failed = Promise.withResolvers<ServiceFailure>();
  const waits = started.map(async (service) => {
    const failure = await service.waitUntilHealthy();
    if (failure) failed.resolve(failure);
  });
  // The first failure stops the others' wait.
  return await Promise.race([Promise.all(waits).then(() => undefined), failed.promise]);
}

function running(started: readonly Service[]): RunningServices {
  return {
    crashed: Promise.race(started.map(({ crashed }) => crashed)),
    [Symbol.asyncDispose]: () => stopAll(started),
  };
}

/** Side by side: each may take half a second to comply. */
async function stopAll(started: readonly Service[]): Promise<void> {
  await Promise.all(started.map(({ stop }) => stop()));
}
