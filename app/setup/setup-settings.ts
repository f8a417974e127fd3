import { RalphError } from "../../src/error.ts";
import { isSafeUrl } from "../../src/github/api/safe-url.ts";
import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment } from "../../src/platform/system.ts";
import { appEnvPath } from "../settings/app-env.ts";
import { readAddresses } from "../settings/settings.ts";

/** What creating an App needs to know. */
export interface SetupSettings {
  apiUrl: string;
  /** Where GitHub takes the manifest. */
  createUrl: string;
  /** Where GitHub will reach the App. */
  publicUrl: string;
  /** Where the settings go; nothing stands there yet. */
  file: string;
  port: number;
}

/** Reads them; every problem is told at once (exit 1). An App that is there already is never written over. */
export function readSetupSettings(env: Environment): SetupSettings {
  const problems: string[] = [];
  const { apiUrl, serverUrl } = readAddresses(env, problems);
  const publicUrl = env.PUBLIC_URL?.trim() ?? "";
  if (!isSafeUrl(publicUrl)) {
    problems.push(
      "PUBLIC_URL is where GitHub will reach the App, such as https://ralph.example.org.",
    );
  }
  const organization = env.GH_ORG?.trim() ?? "";
  if (!/^[\w-]{0,100}$/.test(organization)) problems.push("GH_ORG is the name of an organization.");
  const file = appEnvPath(env);
  if (readSecretFile(file).kind !== "absent") {
    problems.push(`${file} is there already: it belongs to an App.`);
  }
  const port = Number(env.PORT?.trim() || 3000);
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    problems.push("PORT is the number of a port.");
  }
  if (problems.length > 0) throw refused(problems);
  const owner = organization ? `/organizations/${organization}` : "";
  return { apiUrl, createUrl: `${serverUrl}${owner}/settings/apps/new`, publicUrl, file, port };
}

const refused = (problems: readonly string[]) =>
  new RalphError("config", {
    message: ["The App cannot be created:", ...problems.map((line) => `  ${line}`)].join("\n"),
    remedy:
      "Correct this and run `npm run app -- setup` again; RALPH_APP_ENV names another file for another App.",
  });
