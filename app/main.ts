import { RalphError } from "../src/error.ts";
import { createSystem } from "../src/platform/create-system.ts";
import { defaultStopMs, readSettings } from "./settings/settings.ts";
import { runSetup } from "./setup/run-setup.ts";
import { startApp } from "./start-app.ts";

/** `npm run app`: starts the GitHub App and stops it cleanly on SIGINT or SIGTERM; `-- setup` creates one. */
async function main([command]: readonly string[]): Promise<void> {
  // Only this account may read the payloads and notes of private repositories.
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
    // Do not wait for something that hangs, such as an unreachable database: unfinished jobs are repeated after the next start.
    setTimeout(() => process.exit(1), (settings.stopMs ?? defaultStopMs) + lastMs);
    app[Symbol.asyncDispose]().then(() => process.exit(0));
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
}

/** Added to the time for running jobs. */
const lastMs = 3000;

const unknownCommand = (name: string) =>
  new RalphError("config", {
    message: `The App has no command ${JSON.stringify(name)}.`,
    remedy: "Start the App with `npm run app`, or create one with `npm run app -- setup`.",
  });

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof RalphError)) throw error;
  process.stderr.write(`${error.message}\n${error.remedy}\n`);
  process.exitCode = 1;
}
