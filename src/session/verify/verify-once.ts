import type { FactOf } from "../../core/state/event.ts";
import type { VerifyPhase } from "../../core/state/verify-event.ts";
import {
  pageService,
  planServices,
  type ServicePlan,
  serviceUrl,
} from "../../core/verify/plan-services.ts";
import type { VerifyPlan } from "../../core/verify/verify-plan.ts";
import { runGate } from "../../gates/gates.ts";
import { askHealth, createStopwatch } from "../../services/health.ts";
import type { ServiceFailure } from "../../services/service.ts";
import { startServices } from "../../services/start-services.ts";
import { gateDepsAt } from "../loop/gate-deps-at.ts";
import { serviceDeps } from "../loop/open-stage.ts";
import { openServiceNetwork } from "../loop/service-network.ts";
import { runBrowserPhase } from "./browser-phase.ts";
import { runRobotPhase } from "./robot-phase.ts";
import type { VerifyPlace } from "./verify-place.ts";

/** Verifies the work tree in phases: a red one ends it, but Robot Framework runs although browser tests are red. */
export async function verifyOnce(place: VerifyPlace, plan: VerifyPlan): Promise<void> {
  await place.notice({ type: "verify_start", tree: place.tree });
  if (plan.gates !== "none" && !(await gatesPhase(place, plan.gates))) return;
  if (place.cancel.aborted) return;
  const { plans } = planServices(place.config.services, plan.env);
  if (!plan.startsServices) return withRunning(place, plan, plans);
  const elapsed = createStopwatch();
  await using network = await openServiceNetwork(
    place,
    plans.map(({ port }) => port),
  );
  const deps = serviceDeps(place, { network, notice: place.notice });
  const started = await startServices(deps, plans);
  if (started.kind === "failed") {
    return endPhase(place, "services", { elapsed, problem: describe(started.failure) });
  }
  await using services = started.services;
  await endPhase(place, "services", { elapsed });
  const crash = await untilCrash(place, services.crashed, (watched) =>
    runTests(network.reaching(watched), plan, plan.baseUrl ?? pageUrl(plans)),
  );
  if (crash) {
    await place.notice({ type: "service_failed", ...crash, ms: elapsed() });
    await endPhase(place, "services", { elapsed, problem: describe(crash) });
  }
}

/** Runs tests until a service ends: then they are broken off, and the one under way has failed. */
async function untilCrash(
  place: VerifyPlace,
  crashed: Promise<ServiceFailure>,
  run: (place: VerifyPlace) => Promise<void>,
): Promise<ServiceFailure | undefined> {
  const over = new AbortController();
  let crash: ServiceFailure | undefined;
  let underWay: FactOf<"ui_test_start"> | undefined;
  void crashed.then((failure) => {
    crash = failure;
    over.abort();
  });
  await run({
    ...place,
    cancel: AbortSignal.any([place.cancel, over.signal]),
    notice: (fact) => {
      if (fact.type === "ui_test_start") underWay = fact;
      if (fact.type === "ui_test_end") underWay = undefined;
      return place.notice(fact);
    },
  });
  if (place.cancel.aborted) return undefined;
  if (crash && underWay) {
    const detail = `the service ${crash.service} ended during this test`;
    const ended = { ...underWay, type: "ui_test_end", status: "failed", detail, ms: 0 } as const;
    await place.notice(ended);
  }
  return crash;
}

const describe = ({ service, detail }: ServiceFailure) => `${service}: ${detail}`;

function pageUrl(plans: readonly ServicePlan[]): string {
  const name = pageService(plans.map((plan) => plan.name));
  return serviceUrl(plans.find((plan) => plan.name === name)?.port ?? 80);
}

/** The program runs already: one look at each configured service, then the tests. */
async function withRunning(place: VerifyPlace, plan: VerifyPlan, plans: readonly ServicePlan[]) {
  const elapsed = createStopwatch();
  if (plan.baseUrl === undefined) {
    if (plans.length === 0) return;
    for (const { name, port, health } of plans) {
      const { isHealthy, detail } = await askHealth(port, health);
      if (isHealthy) continue;
      const problem = `${name} is not up on port ${port}: ${detail}`;
      const failure = {
        service: name,
        why: "timeout" as const,
        detail: `not up on port ${port}: ${detail}`,
      };
      await place.notice({ type: "service_failed", ...failure, ms: elapsed() });
      return endPhase(place, "services", { elapsed, problem });
    }
    await endPhase(place, "services", { elapsed });
  }
  await runTests(place, plan, plan.baseUrl ?? pageUrl(plans));
}

async function runTests(place: VerifyPlace, plan: VerifyPlan, baseUrl: string): Promise<void> {
  if (plan.browser && !place.cancel.aborted) await runBrowserPhase(place, baseUrl);
  if (plan.robot && !place.cancel.aborted) await runRobotPhase(place, baseUrl);
}

async function gatesPhase(place: VerifyPlace, level: "build" | "full"): Promise<boolean> {
  const elapsed = createStopwatch();
  for (const gate of place.config.gates[level]) {
    const result = await runGate(gateDepsAt(place), gate);
    if (place.cancel.aborted) return false;
    place.gateEnded(gate.name, result);
    const isGreen = result.status === "passed" || result.status === "skipped";
    if (isGreen || !gate.fatal) continue;
    await endPhase(place, "gates", { elapsed, problem: `${gate.name}: ${result.detail}` });
    return false;
  }
  await endPhase(place, "gates", { elapsed });
  return true;
}

function endPhase(
  place: VerifyPlace,
  phase: VerifyPhase,
  { elapsed, problem }: { elapsed: () => number; problem?: string },
): Promise<void> {
  const status = problem === undefined ? "passed" : "failed";
  const detail = problem ?? "";
  return place.notice({
    ...{ type: "verify_phase_end", phase, tree: place.tree },
    ...{ status, detail, ms: elapsed() },
  });
}
