import { RalphError } from "../../src/error.ts";
import { isSafeUrl } from "../../src/github/api/remote-url.ts";
import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment } from "../../src/platform/system.ts";
import { appEnvPath } from "../settings/app-env.ts";
import { readAddresses } from "../settings/settings.ts";

/** The settings for creating an App. */
export interface SetupSettings {
  apiUrl: string;
  /** The page of GitHub that accepts the manifest. */
  createUrl: string;
  /** The address at which GitHub will reach the App. */
  publicUrl: string;
  /** The file for the App's settings, which does not exist yet. */
  file: string;
  port: number;
}

/** Reads the settings; throws one error with every problem (exit 1). The settings of an existing App are never overwritten. */
export function readSetupSettings(env: Environment): SetupSettings {
  const problems: string[] = [];
  const { apiUrl, serverUrl } = readAddresses(env, problems);
  const publicUrl = env.PUBLIC_URL?.trim() ?? "";
  if (!isSafeUrl(publicUrl)) {
    problems.push(
      "PUBLIC_URL must be the address at which GitHub reaches the App, such as https://ralph.example.org.",
    );
  }
  const organization = env.GH_ORG?.trim() ?? "";
  if (!/^[\w-]{0,100}$/.test(organization))
    problems.push("GH_ORG must be the name of an organization.");
  const file = appEnvPath(env);
  if (readSecretFile(file).kind !== "absent") {
    problems.push(`${file} exists already: it belongs to an App.`);
  }
  const port = Number(env.PORT?.trim() || 3000);
  if (!(Number.isInteger(port) && port >= 0 && port < 65_536)) {
    problems.push("PORT must be the number of a port.");
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
