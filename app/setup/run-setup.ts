import type { System } from "../../src/platform/system.ts";
import { installUrl } from "./setup-pages.ts";
import { readSetupSettings } from "./setup-settings.ts";
import { startSetup } from "./start-setup.ts";

/** `npm run app -- setup`: creates the GitHub App with one click in the browser, and saves its settings. */
export async function runSetup(
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
