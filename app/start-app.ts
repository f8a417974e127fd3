import { once } from "node:events";
import type { Server } from "node:http";
import { Probot } from "probot";
import type { System } from "../src/system/system.ts";
import { openAccess } from "./access.ts";
import { createFront } from "./front/front.ts";
import { createIntake } from "./front/intake.ts";
import { createBodyReader } from "./front/read-body.ts";
import { healthPages } from "./pages/health.ts";
import { ralphApp } from "./ralph-app.ts";
import type { Settings } from "./settings.ts";
import { openStore } from "./store/open-store.ts";
import { rules } from "./triggers/rules.ts";
import { createHandlers } from "./work/handlers.ts";
import { startWorker } from "./work/worker.ts";

const megabyte = 1024 * 1024;
/** GitHub sends at most 25 MB; more than one of those at a time hardly ever comes. */
const bodyLimits = { maxBytes: 25 * megabyte, heldBytes: 48 * megabyte };
const slots = 4;
const workflows = [".github/workflows/ralph.yml"];

export interface RunningApp extends AsyncDisposable {
  /** Where it listens. */
  url: string;
}

/** Starts everything in the order in which one part needs another; it ends the other way round. */
export async function startApp(system: System, settings: Settings): Promise<RunningApp> {
  await using parts = new AsyncDisposableStack();
  const probot = createProbot(settings);
  await probot.ready();
  const report = (error: unknown) => probot.log.error({ err: error }, "failed");
  const access = await openAccess(probot, settings, system.clock);
  const { queue, notes } = parts.use(await openStore(system, settings, report));
  await probot.load(ralphApp({ access, queue, workflows }));
  const { clock } = system;
  const url = settings.publicUrl;
  const handlers = createHandlers({
    probot,
    queue,
    access,
    notes,
    clock,
    bots: settings.bots,
    url,
  });
  const worker = parts.use(startWorker({ queue, handlers, clock, slots, report }));
  const intake = createIntake(queue);
  const front = createFront({
    reception: {
      readBody: createBodyReader(bodyLimits),
      verify: (text, signature) => probot.webhooks.verify(text, signature),
      keep: async (job) => {
        await intake(job);
        worker.wake();
      },
      events: new Set(rules.map(({ event }) => event.split(".", 1)[0] ?? event)),
    },
    pages: healthPages(queue),
    report,
    counted: () => undefined,
  });
  front.listen(settings.port, settings.host);
  await once(front, "listening");
  parts.defer(() => closeFront(front));
  const running = parts.move();
  return { url: addressOf(front), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

function createProbot({ appId, privateKey, webhookSecret: secret, apiUrl: baseUrl }: Settings) {
  return new Probot({ appId, privateKey, secret, baseUrl, logFormat: "json", logLevel: "info" });
}

/** No new connection; what is being answered is answered. */
async function closeFront(front: Server): Promise<void> {
  const closed = once(front, "close");
  front.close();
  front.closeIdleConnections();
  await closed;
}

function addressOf(front: Server): string {
  const address = front.address();
  if (typeof address !== "object" || !address) return "";
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
