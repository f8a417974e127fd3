import { RalphError } from "../src/error.ts";
import { createSystem } from "../src/platform/create-system.ts";
import { defaultStopMs, readSettings } from "./settings/settings.ts";
import { runSetup } from "./setup/run-setup.ts";
import { startApp } from "./start-app.ts";

/** `npm run app`: starts the GitHub App and ends it cleanly on SIGINT or SIGTERM; with `-- setup` it creates one. */
async function main([command]: readonly string[]): Promise<void> {
  // Payloads and notes of private repositories are for this account alone.
  process.umask(0o077);
  const system = createSystem();
  if (command === "setup") {
    await runSetup(system, (line) => process.stdout.write(`${line}\n`));
    return;
  }
  if (command !== undefined) throw unknownCommand(command);
  const write = (text: string) => void process.stdout.write(text);
  const settings = await readSettings(system);
  const app = await startApp(system, settings, write);
  write(`ralph listens at ${app.url}\n`);
  const stop = () => {
    // Whatever hangs, such as a database that is away: what was begun is done again after the next start.
    setTimeout(() => process.exit(1), (settings.stopMs ?? defaultStopMs) + lastMs);
    app[Symbol.asyncDispose]().then(() => process.exit(0));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

/** Beyond the time for what is being done. */
const lastMs = 3000;

const unknownCommand = (name: string) =>
  new RalphError("config", {
    message: `The App has no command ${JSON.stringify(name)}.`,
    remedy: "Start it with `npm run app`, or create one with `npm run app -- setup`.",
  });

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof RalphError)) throw error;
  process.stderr.write(`${error.message}\n${error.remedy}\n`);
  process.exitCode = 1;
}
