import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { healthPages } from "../../../app/pages/health.ts";
import { openStore } from "../../../app/store/open-store.ts";
import type { TakenJob } from "../../../app/store/queue.ts";
import { createIntake } from "../../../app/webhooks/intake.ts";
import { createBodyReader } from "../../../app/webhooks/read-body.ts";
import { createVerifier } from "../../../app/webhooks/receive-delivery.ts";
import { createWebServer } from "../../../app/webhooks/web-server.ts";
import { startWorker } from "../../../app/worker/worker.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { webhookSecret } from "./deliveries.ts";
import { usualLimits } from "./settings.ts";

/**
 * The App's front, queue and worker with an effect that can be counted: `node delivery-child.ts FOLDER PORT`. Each job
 * looks first whether its effect is there, as every job of the App does.
 */
const [folder = "", port = "0"] = process.argv.slice(2);
const { DATABASE_URL: databaseUrl } = process.env;
const system = createSystem();
const report = (error: unknown) => process.stderr.write(`${error}\n`);
const { queue, notes } = await openStore(
  system,
  { databaseUrl, dataFolder: `${folder}/data` },
  report,
);

async function act({ id }: TakenJob): Promise<void> {
  const path = `${folder}/effects/${id}`;
  // A folder is made whole or not at all, and never twice.
  if (!existsSync(path)) mkdirSync(path);
}

const worker = startWorker({
  queue,
  handle: act,
  clock: system.clock,
  slots: 4,
  publications: 2,
  stopMs: usualLimits.stopMs,
  report,
  redact: (text) => text,
});
const intake = createIntake(queue);
const front = createWebServer({
  reception: {
    readBody: createBodyReader({ maxBytes: 25 * 1024 ** 2, heldBytes: 48 * 1024 ** 2 }),
    verify: createVerifier(webhookSecret),
    keep: async (job) => {
      await intake(job);
      worker.wake();
    },
    events: new Set(["issues"]),
  },
  pages: healthPages({ queue, notes, clock: system.clock, report }),
  missing: { status: 404, type: "text/plain", body: "" },
  isSecure: false,
  stopping: new AbortController().signal,
  report,
  onDelivery: () => undefined,
});
front.listen(Number(port), "127.0.0.1");
await once(front, "listening");
process.stdout.write(`${(front.address() as AddressInfo).port}\n`);
