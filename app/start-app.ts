import { once } from "node:events";
import type { Server } from "node:http";
import { resolve } from "node:path/posix";
import { Probot } from "probot";
import { RalphError } from "../src/error.ts";
import { createRedactor } from "../src/platform/secrets/redact.ts";
import type { System } from "../src/platform/system.ts";
import { openAccess } from "./access/access.ts";
import { createLog, createQuietReporter, type Log, secretsOf } from "./events/log.ts";
import { createNotifier, createRecorder } from "./events/recorder.ts";
import { countEvents, createCounters, withJobCounters } from "./metrics/counters.ts";
import { metricsPages } from "./metrics/metrics-page.ts";
import { appPages, missingPage } from "./pages/app-pages.ts";
import { healthPages } from "./pages/health.ts";
import { ralphApp } from "./ralph-app.ts";
import { createSettingsFinder } from "./repositories/repository-note.ts";
import { rules } from "./rules/rules.ts";
import type { Settings } from "./settings/settings.ts";
import { openStore } from "./store/open-store.ts";
import { createIntake } from "./webhooks/intake.ts";
import { createBodyReader } from "./webhooks/read-body.ts";
import { createVerifier } from "./webhooks/receive-delivery.ts";
import { createWebServer } from "./webhooks/web-server.ts";
import { createJobHandler } from "./worker/job-handlers.ts";
import { startTicker } from "./worker/ticker.ts";
import { startWorker } from "./worker/worker.ts";

const megabyte = 1024 * 1024;
/** GitHub sends at most 25 MB; several large deliveries at once are rare. */
const bodyLimits = { maxBytes: 25 * megabyte, heldBytes: 48 * megabyte };
const workflows = [".github/workflows/ralph.yml"];

export interface RunningApp extends AsyncDisposable {
  /** The address it listens on. */
  url: string;
}

/** Starts all parts in the order of their dependencies; they end in reverse order. `write` receives the log. */
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
  const { queue, notes } = parts.use(await openStore(system, settings, report));
  const { apiUrl, serverUrl, publicUrl } = settings;
  const findSettings = createSettingsFinder({ notes, clock });
  const access = await openAccess({ probot, apiUrl, clock, findSettings });
  const counters = createCounters();
  const record = createRecorder({
    ...{ log, notes, clock, report, count: countEvents(counters) },
    notify: createNotifier(settings.notifyUrl, report),
  });
  await probot.load(ralphApp({ access, queue, notes, clock, workflows, record }));
  const folder = resolve(settings.dataFolder, "publish");
  const handle = createJobHandler({
    probot,
    ...{ queue, access, notes, clock, record, url: publicUrl },
    bots: settings.bots,
    publisher: { system, apiUrl, serverUrl, folder, log: log.info },
  });
  const counting = withJobCounters(queue, { counters, record, clock });
  const redact = createRedactor(secrets);
  const { stopMs, slots, publications } = settings;
  const worker = parts.use(
    startWorker({ queue: counting, handle, clock, report, redact, stopMs, slots, publications }),
  );
  const intake = createIntake(queue);
  const stopping = new AbortController();
  const server = createWebServer({
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
      ...healthPages({ queue, notes, clock, report }),
      ...metricsPages({
        ...{ queue, counters, clock, limits: access.limits, token: settings.metricsToken },
        startedAt: clock.now(),
      }),
      ...appPages({ settings, system, queue, notes, access, record }),
    ],
    missing: missingPage,
    isSecure: publicUrl.startsWith("https:"),
    stopping: stopping.signal,
    report,
    onDelivery: ({ status, message: answer, id: delivery, event: name }) => {
      counters.add("ralph_deliveries_total", { status: String(status), answer });
      record("delivery", { delivery, name, status, answer });
    },
  });
  await listen(server, settings);
  // Both use the same time to end.
  parts.defer(() => endAll([closeServer(server, stopping), worker.stop()]));
  parts.use(startTicker({ queue, clock, report }));
  const running = parts.move();
  return { url: addressOf(server), [Symbol.asyncDispose]: () => running.disposeAsync() };
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  server.listen(port, host);
  await once(server, "listening").catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new RalphError("config", {
      message: `The App cannot listen on ${host}, port ${port}: ${reason}.`,
      remedy: "Choose another PORT or HOST, or stop the program that uses this one.",
      cause,
    });
  });
}

/** Probot's own log would contain everything attached to an error, even payloads. */
function createProbot(
  { appId, privateKey, webhookSecret: secret, apiUrl: baseUrl }: Settings,
  log: Log,
) {
  return new Probot({
    ...{ appId, privateKey, secret, baseUrl },
    log: log as unknown as Probot["log"],
  });
}

/** How long answers may take while the App stops. */
const lastAnswersMs = 5000;

/** Accepts no new connections and finishes the current answers, except for clients that are too slow. */
async function closeServer(server: Server, streams: AbortController): Promise<void> {
  streams.abort();
  const closed = once(server, "close");
  server.close();
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), lastAnswersMs);
  await closed;
  clearTimeout(timer);
}

const endAll = async (ends: readonly Promise<void>[]) => void (await Promise.all(ends));

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || !address) return "";
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}
