import { RalphError } from "../src/error.ts";
import { createSystem } from "../src/platform/create-system.ts";
import type { System } from "../src/platform/system.ts";
import { readSettings, readStorePlace } from "./settings/settings.ts";
import { installUrl } from "./setup/setup-pages.ts";
import { readSetupSettings } from "./setup/setup-settings.ts";
import { startSetup } from "./setup/start-setup.ts";
import { startApp } from "./start-app.ts";
import { migrateStore } from "./store/migrate-store.ts";

/** `npm run app`: starts the GitHub App and stops it cleanly on SIGINT or SIGTERM; `-- setup` creates one. */
async function main([command, ...args]: readonly string[]): Promise<void> {
  // Only this account may read the payloads and notes of private repositories.
  process.umask(0o077);
  const system = createSystem();
  if (command === "setup") {
    await runSetup(system, (line) => process.stdout.write(`${line}\n`));
    return;
  }
  if (command === "migrate") {
    await runMigrate(system, args[0]);
    return;
  }
  if (command !== undefined) throw unknownCommand(command);
  const write = (text: string) => void process.stdout.write(text);
  const settings = await readSettings(system);
  const app = await startApp(system, settings, write);
  write(`ralph listens at ${app.url}\n`);
  const stop = () => {
    // Do not wait for something that hangs, such as an unreachable database: unfinished jobs are repeated after the next start.
    setTimeout(() => process.exit(1), settings.stopMs + lastMs);
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

/** `npm run app -- migrate VERSION`: takes the database to another version of its schema, for instance before a downgrade. */
async function runMigrate(system: System, version: string | undefined): Promise<void> {
  if (version !== "1" && version !== "2") {
    throw new RalphError("config", {
      message: `There is no version ${JSON.stringify(version ?? "")} of the database's schema.`,
      remedy: "Name 1, for the version before this one, or 2.",
    });
  }
  await migrateStore(system, readStorePlace(system), version === "1" ? 1 : 2);
  process.stdout.write(`The database has version ${version} of its schema now.\n`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof RalphError)) throw error;
  process.stderr.write(`${error.message}\n${error.remedy}\n`);
  process.exitCode = 1;
}

/** `npm run app -- setup`: creates the GitHub App with one click in the browser, and saves its settings. */
async function runSetup(
  system: Pick<System, "files" | "randomHex" | "env">,
  print: (line: string) => void,
): Promise<void> {
  const settings = readSetupSettings(system.env);
  await using setup = await startSetup(system, settings);
  print(`Open ${setup.url} in a browser on this machine.`);
  const app = await setup.created;
  print(`Created the App ${app.slug}. Its settings are in ${settings.file}.`);
  print("Start it: npm run app");
  print(`Then install it in your repositories: ${installUrl(app)}`);
}
