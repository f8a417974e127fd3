import { RalphError } from "../src/error.ts";
import { createSystem } from "../src/system/create-system.ts";
import { readSettings } from "./settings.ts";
import { startApp } from "./start-app.ts";

/** `npm run app`: starts the GitHub App and ends it cleanly on SIGINT or SIGTERM. */
async function main(): Promise<void> {
  const system = createSystem();
  const app = await startApp(system, await readSettings(system));
  process.stdout.write(`ralph listens at ${app.url}\n`);
  const stop = () => {
    app[Symbol.asyncDispose]().then(() => process.exit(0));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof RalphError)) throw error;
  process.stderr.write(`${error.message}\n${error.remedy}\n`);
  process.exitCode = 1;
}
