import { once } from "node:events";
import type { Server } from "node:http";
import { resolve } from "node:path/posix";
import { Probot } from "probot";
import { createRedactor } from "../src/platform/secrets/redact.ts";
import type { System } from "../src/platform/system.ts";
import { openAccess } from "./access/access.ts";
import { createLog, type Log, secretsOf } from "./log.ts";
import { createCounters } from "./metrics/counters.ts";
import { withJobCounters } from "./metrics/job-counters.ts";
import { metricsPages } from "./metrics/metrics-page.ts";
import { appPages } from "./pages/app-pages.ts";
import { healthPages } from "./pages/health.ts";
import { ralphApp } from "./ralph-app.ts";
import { rules } from "./rules/rules.ts";
import { defaultStopMs, type Settings } from "./settings/settings.ts";
import { openStore } from "./store/open-store.ts";
import { createIntake } from "./webhooks/intake.ts";
import { createBodyReader } from "./webhooks/read-body.ts";
import { createVerifier } from "./webhooks/verify-signature.ts";
import { createWebServer } from "./webhooks/web-server.ts";
import { createJobHandler } from "./worker/job-handlers.ts";
import { createQuietReporter } from "./worker/quiet-reporter.ts";
import { startTicker } from "./worker/ticker.ts";
import { startWorker } from "./worker/worker.ts";

const megabyte = 1024 * 1024;
/** GitHub sends at most 25 MB; more than one of those at a time hardly ever comes. */
const bodyLimits = { maxBytes: 25 * megabyte, heldBytes: 48 * megabyte };
const slots = 4;
const workflows = [".github/workflows/ralph.yml"];

export interface RunningApp extends AsyncDisposable {
  /** Where it listens. */
  url: string;
}

/** Starts everything in the order in which one part needs another; it ends the other way round. `write` gets the log. */
export async function startApp(
  system: System,
  settings: Settings,
  write: (line: string) => void,
): Promise<RunningApp> {
  await using parts = new AsyncDisposableStack();
  const { clock } = system;
  const secrets = secretsOf(settings);
  const log = createLog({ clock, write, secrets });
  const probot = createProbot(settings, log);
  await probot.ready();
  const report = createQuietReporter(clock, (error, job) => {
    const { id, kind, attempt } = job ?? {};
    log.error({ err: error, job: id, kind, attempt }, "failed");
  });
  const access = await openAccess(probot, settings.apiUrl, system.clock);
  const { queue, notes } = parts.use(await openStore(system, settings, report));
  await probot.load(ralphApp({ access, queue, notes, workflows }));
  const url = settings.publicUrl;
  const { apiUrl, serverUrl } = settings;
  const folder = resolve(settings.dataFolder, "publish");
  const logLine = (line: string) => log.info(line);
  const handle = createJobHandler({
    probot,
    queue,
    access,
    notes,
    clock,
    bots: settings.bots,
    url,
    publisher: { system, apiUrl, serverUrl, folder, log: logLine },
  });
  const counters = createCounters();
  const counting = withJobCounters(queue, counters);
  const redact = createRedactor(secrets);
  const { stopMs = defaultStopMs } = settings;
  const worker = parts.use(
    startWorker({ queue: counting, handle, clock, slots, report, redact, stopMs }),
  );
  const intake = createIntake(queue);
  const front = createWebServer({
    reception: {
      readBody: createBodyReader(bodyLimits),
      verify: createVerifier(settings.webhookSecret),
      keep: async (job) => {
        await intake(job);
        worker.wake();
      },
      events: new Set(rules.map(({ event }) => event.split(".", 1)[0] ?? event)),
    },
    pages: [
      ...healthPages(queue),
      ...metricsPages({ queue, counters, token: settings.metricsToken, startedAt: clock.now() }),
      ...appPages({ settings, system, queue, notes, access }),
    ],
    report,
    counted: ({ status, why: answer }) =>
      counters.add("ralph_deliveries_total", { status: String(status), answer }),
  });
  front.listen(settings.port, settings.host);
  await once(front, "listening");
  // Both have the same seconds to end.
  parts.defer(() => endAll([closeFront(front), worker.stop()]));
  parts.use(startTicker({ queue, clock, report }));
  const running = parts.move();
  return { url: addressOf(front), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Its own log would hold whatever hangs on an error, also the payload of an event. */
function createProbot(
  { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl }: Settings,
  log: Log,
) {
  return new Probot({
    ...{ appId, privateKey, secret, baseUrl },
    log: log as unknown as Probot["log"],
  });
}

/** So long an answer may take once we end. */
const lastAnswersMs = 5000;

/** No new connection; what is being answered is answered, unless somebody sends or reads too slowly. */
async function closeFront(front: Server): Promise<void> {
  const closed = once(front, "close");
  front.close();
  front.closeIdleConnections();
  const timer = setTimeout(() => front.closeAllConnections(), lastAnswersMs);
  await closed;
  clearTimeout(timer);
}

const endAll = async (ends: readonly Promise<void>[]) => void (await Promise.all(ends));

function addressOf(front: Server): string {
  const address = front.address();
  if (typeof address !== "object" || !address) return "";
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
