import { planServices } from "../../core/verify/plan-services.ts";
import { RalphError } from "../../error.ts";
import type { CriterionVerdict, RuntimeCriterion, RuntimeStage } from "../../gates/criteria.ts";
import { callApi } from "../../services/call-api.ts";
import type { ServiceDeps, ServiceFailure } from "../../services/service.ts";
import { startServices } from "../../services/start-services.ts";
import { gateDepsAt } from "./gate-deps-at.ts";
import { record, type SessionContext } from "./session-context.ts";

/** Starts the configured services in the session's work tree and judges criteria with them. */
export async function openStage(session: SessionContext): Promise<RuntimeStage> {
  const release = await takeTurn(session);
  try {
    const stage = await startStage(session);
    return {
      judge: stage.judge,
      [Symbol.asyncDispose]: async () => {
        await stage[Symbol.asyncDispose]();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** Services have fixed ports, so tasks that run side by side use them one after the other. */
async function takeTurn({ turns }: SessionContext): Promise<() => void> {
  const [mine, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  void turns.stage(() => {
    mine.resolve();
    return over.promise;
  });
  await mine.promise;
  return over.resolve;
}

async function startStage(session: SessionContext): Promise<RuntimeStage> {
  const { plans } = planServices(session.config.services, session.policy.env);
  const deps = serviceDeps(session);
  const started = await startServices(deps, plans);
  if (started.kind === "failed") return brokenStage(session, started.failure);
  return {
    judge: (criterion) => judge({ ...deps, plans }, criterion),
    [Symbol.asyncDispose]: () => started.services[Symbol.asyncDispose](),
  };
}

/** What services need of a session: the place, sandbox and environment of gates. */
export function serviceDeps(session: SessionContext): ServiceDeps {
  return {
    ...gateDepsAt(session),
    startLong: session.system.startLong,
    notice: (fact) => record(session, fact),
    keepEvidence: session.evidence.put,
  };
}

/** A service that does not start is the work's fault, unless another program is in its place. */
function brokenStage(session: SessionContext, failure: ServiceFailure): RuntimeStage {
  if (failure.why === "port" && !session.cancel.aborted) throw portTaken(failure);
  const detail = `the services are not up: ${failure.service}: ${failure.detail}`;
  return {
    judge: async () => ({ verdict: "failed", detail }),
    [Symbol.asyncDispose]: async () => {},
  };
}

export const portTaken = ({ service, detail }: ServiceFailure) =>
  new RalphError("service", {
    message: `The service ${service} cannot start: ${detail}.`,
    remedy: `End that program, or set another port in services.${service}.port.`,
  });

function judge(
  deps: Parameters<typeof callApi>[0],
  criterion: RuntimeCriterion,
): Promise<CriterionVerdict> {
  if (criterion.kind === "api") return callApi(deps, criterion.request);
  return Promise.resolve({ verdict: "to_judge", detail: "for the reviewer" });
}
