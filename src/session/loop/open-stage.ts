import {
  pageService,
  planServices,
  type ServicePlan,
  serviceUrl,
} from "../../core/verify/plan-services.ts";
import { RalphError } from "../../error.ts";
import type { CriterionVerdict, RuntimeStage } from "../../gates/criteria.ts";
import { callApi } from "../../services/call-api.ts";
import type { ServiceDeps, ServiceFailure } from "../../services/service.ts";
import { startServices } from "../../services/start-services.ts";
import { type BrowserDeps, createBrowser } from "../../ui/browser.ts";
import { findChromium } from "../../ui/find-chromium.ts";
import { createBrowserJudge } from "../../ui/judge-browser.ts";
import { runActions, usualLimits } from "../../ui/run-actions.ts";
import { type SightDeps, seePage } from "../../ui/see-page.ts";
import { type GatePlace, gateDepsAt } from "./gate-deps-at.ts";
import { openServiceNetwork, type ServiceNetwork } from "./service-network.ts";
import { record, type SessionContext } from "./session-context.ts";

/** Starts the services in the session's work tree and judges criteria with them. They end with the stage, which frees the ports. */
export async function openStage(
  session: SessionContext,
  notice: ServiceDeps["notice"] = (fact) => record(session, fact),
): Promise<RuntimeStage> {
  const release = await takeTurn(session);
  try {
    const stage = await startStage(session, notice);
    return {
      ...stage,
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

async function startStage(
  session: SessionContext,
  notice: ServiceDeps["notice"],
): Promise<RuntimeStage> {
  const { plans } = planServices(session.config.services, session.policy.env);
  const network = await openServiceNetwork(
    session,
    plans.map(({ port }) => port),
  );
  const deps = serviceDeps(session, { network, notice });
  const started = await startServices(deps, plans);
  if (started.kind === "failed") {
    await network[Symbol.asyncDispose]();
    return brokenStage(session, started.failure);
  }
  const pages = await openPages(network.reaching(session), plans);
  let crash: ServiceFailure | undefined;
  void started.services.crashed.then((failure) => {
    crash = failure;
  });
  return {
    judge: async (criterion) => {
      const verdict =
        criterion.kind === "api"
          ? await callApi({ ...deps, plans }, criterion.request)
          : await pages.judge(criterion.words);
      return crash ? { ...verdict, verdict: "failed", detail: renderCrash(crash) } : verdict;
    },
    see: pages.see,
    [Symbol.asyncDispose]: async () => {
      await pages[Symbol.asyncDispose]();
      await started.services[Symbol.asyncDispose]();
      await network[Symbol.asyncDispose]();
    },
  };
}

const renderCrash = ({ service, detail }: ServiceFailure) =>
  `the service ${service} ended: ${detail}`;

interface Pages extends AsyncDisposable {
  judge: (words: string) => Promise<CriterionVerdict>;
  see: RuntimeStage["see"];
}

/** The browser starts with the first criterion that needs it; without one on this machine the reviewer judges. */
async function openPages(session: SessionContext, plans: readonly ServicePlan[]): Promise<Pages> {
  const executable = await findChromium(session.system);
  const base = plans.find(({ name }) => name === pageService(plans.map((plan) => plan.name)));
  if (executable === undefined || !base) {
    const detail = "this machine has no Chromium; for the reviewer";
    return {
      judge: async () => ({ verdict: "to_judge", detail }),
      see: noPicture,
      [Symbol.asyncDispose]: async () => {},
    };
  }
  const browser = createBrowser(browserDeps(session, executable));
  const limits = { baseUrl: serviceUrl(base.port), ...usualLimits };
  return {
    judge: createBrowserJudge({ browser, limits, ...sightDeps(session) }),
    see: async (path) => {
      await browser.ask({ do: "page" });
      const opened = await runActions(browser, [{ verb: "open", path }], limits);
      return opened.ok ? (await seePage(browser, sightDeps(session))).picture : undefined;
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  };
}

const noPicture = async () => undefined;

/** The browser runs where gates run: same sandbox, same environment. */
export function browserDeps(session: StagePlace, executable: string): BrowserDeps {
  const { root, env, wrap, signal } = gateDepsAt(session);
  const { startLong, files } = session.system;
  const place = { root, env, wrap, isSandboxed: isSandboxed(session) };
  return { startLong, files, ...place, executable, signal };
}

/** Whether programs of the project run in the sandbox here. */
export const isSandboxed = (place: GatePlace): boolean =>
  gateDepsAt(place).wrap({ file: "true", args: [] }).file !== "true";

export function sightDeps({ redact, evidence }: StagePlace): SightDeps {
  return {
    redact,
    keepText: (text) => evidence.put(text),
    keepPicture: evidence.putPicture,
  };
}

/** The place where the program runs, and the store of its evidence. */
export type StagePlace = GatePlace & Pick<SessionContext, "evidence">;

/** The place, sandbox and environment of gates; `notice` journals. */
export function serviceDeps(
  session: StagePlace,
  { network, notice }: { network: ServiceNetwork; notice: ServiceDeps["notice"] },
): ServiceDeps {
  return {
    ...gateDepsAt(session),
    wrap: network.wrap,
    connectTo: network.connectTo,
    startLong: session.system.startLong,
    notice,
    keepEvidence: session.evidence.put,
  };
}

/** A service that does not start is the work's fault, unless another program is in its place. */
function brokenStage(session: SessionContext, failure: ServiceFailure): RuntimeStage {
  if (failure.why === "port" && !session.cancel.aborted) throw portTaken(failure);
  const detail = `the services are not up: ${failure.service}: ${failure.detail}`;
  return {
    judge: async () => ({ verdict: "failed", detail }),
    see: noPicture,
    [Symbol.asyncDispose]: async () => {},
  };
}

export const portTaken = ({ service, detail }: ServiceFailure) =>
  new RalphError("service", {
    message: `The service ${service} cannot start: ${detail}.`,
    remedy: `End that program, or set another port in services.${service}.port.`,
  });
