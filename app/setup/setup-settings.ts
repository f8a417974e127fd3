import { RalphError } from "../../src/error.ts";
import { isSafeUrl } from "../../src/github/api/remote-url.ts";
import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment } from "../../src/platform/system.ts";
import { appEnvPath } from "../settings/app-env.ts";
import { readAddresses, readVariables } from "../settings/settings.ts";
import { Variables } from "../settings/variables.ts";

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

const SetupVariables = Variables.pick({ GHE_HOST: true, GH_ORG: true, PORT: true });

/** Reads the settings; throws one error with every problem (exit 1). The settings of an existing App are never overwritten. */
export function readSetupSettings(env: Environment): SetupSettings {
  const problems: string[] = [];
  const values = readVariables(SetupVariables, env, problems);
  const { apiUrl, serverUrl } = readAddresses(env, problems);
  const publicUrl = env.PUBLIC_URL?.trim() ?? "";
  if (!isSafeUrl(publicUrl)) {
    problems.push(
      "PUBLIC_URL must be the address at which GitHub reaches the App, such as https://ralph.example.org.",
    );
  }
  const file = appEnvPath(env);
  if (readSecretFile(file).kind !== "absent") {
    problems.push(`${file} exists already: it belongs to an App.`);
  }
  if (!values || problems.length > 0) throw refused(problems);
  const owner = values.GH_ORG ? `/organizations/${values.GH_ORG}` : "";
  const createUrl = `${serverUrl}${owner}/settings/apps/new`;
  return { apiUrl, createUrl, publicUrl, file, port: values.PORT };
}

const refused = (problems: readonly string[]) =>
  new RalphError("config", {
    message: ["The App cannot be created:", ...problems.map((line) => `  ${line}`)].join("\n"),
    remedy:
      "Correct this and run `npm run app -- setup` again; RALPH_APP_ENV names another file for another App.",
  });
