import { appendFileSync } from "node:fs";
import { openStore } from "../../../app/store/open-store.ts";
import { startWorker } from "../../../app/worker/worker.ts";
import { createSystem } from "../../../src/platform/create-system.ts";
import { usualLimits } from "./settings.ts";

/**
 * A replica of the App as far as its work goes: `node replica-child.ts FOLDER`. A job waits as for GitHub, and leaves a
 * mark; one that was done twice has two.
 */
const [folder = ""] = process.argv.slice(2);
const { DATABASE_URL: databaseUrl } = process.env;
const system = createSystem();
const report = (error: unknown) => process.stderr.write(`${error}\n`);
const { queue } = await openStore(system, { databaseUrl, dataFolder: `${folder}/data` }, report);

startWorker({
  ...{ queue, clock: system.clock, report, redact: (text) => text },
  ...{ ...usualLimits, slots: 4 },
  handle: async ({ id, data }) => {
    await system.clock.sleep(Number(data));
    appendFileSync(`${folder}/effects/${id}`, `${process.pid}\n`);
  },
});
process.stdout.write("ready\n");
