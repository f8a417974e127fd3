import type { System } from "../../src/platform/system.ts";
import { installUrl } from "./setup-pages.ts";
import { readSetupSettings } from "./setup-settings.ts";
import { startSetup } from "./start-setup.ts";

/** `npm run app -- setup`: creates the GitHub App with one click in the browser, and writes down its settings. */
export async function runSetup(
  system: Pick<System, "files" | "randomHex" | "env">,
  say: (line: string) => void,
): Promise<void> {
  const settings = readSetupSettings(system.env);
  await using setup = await startSetup(system, settings);
  say(`Open ${setup.url} in a browser on this machine.`);
  const app = await setup.created;
  say(`The App ${app.slug} is there. Its settings are in ${settings.file}.`);
  say("Start it: npm run app");
  say(`Then install it where it is to work: ${installUrl(app)}`);
}
