import type { Settings } from "../../../app/settings/settings.ts";
import { Variables } from "../../../app/settings/variables.ts";
import { webhookSecret } from "./deliveries.ts";
import type { AppGitHub } from "./github.ts";

const usual = Variables.pick({ STOP_SECONDS: true, SLOTS: true, PUBLICATIONS: true }).parse({});

/** The limits of the worker unless they are set. */
export const usualLimits = {
  ...{ stopMs: usual.STOP_SECONDS * 1000, slots: usual.SLOTS, publications: usual.PUBLICATIONS },
};

/** The settings of an App beside an emulated GitHub, on a free port and without pages. */
export const settingsFor = (
  { privateKey, server }: Pick<AppGitHub, "privateKey" | "server">,
  dataFolder: string,
): Settings => ({
  ...{ appId: 1, privateKey, webhookSecret, apiUrl: server.apiUrl, serverUrl: server.url },
  ...{ publicUrl: "https://ralph.example", host: "127.0.0.1", port: 0 },
  ...{ databaseUrl: undefined, dataFolder, bots: [], login: undefined, ...usualLimits },
});
