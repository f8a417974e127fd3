import { createPrivateKey } from "node:crypto";
import type * as z from "zod";
import { RalphError } from "../../src/error.ts";
import { isSafeUrl } from "../../src/github/api/remote-url.ts";
import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment, System } from "../../src/platform/system.ts";
import { dataFolderOf, readAppEnv } from "./app-env.ts";
import { Variables } from "./variables.ts";

/** The App's settings. */
export interface Settings {
  appId: number;
  /** PEM. */
  privateKey: string;
  webhookSecret: string;
  /** `https://api.github.com`, on GitHub Enterprise with `/api/v3`. */
  apiUrl: string;
  /** The server for git and for people. */
  serverUrl: string;
  host: string;
  port: number;
  /** The address of the pages; claims and comments name it. */
  publicUrl: string;
  databaseUrl: string | undefined;
  dataFolder: string;
  /** Ids of bot accounts that may start work by label. */
  bots: readonly number[];
  /** The client that signs people in; undefined without pages. */
  login: { clientId: string; clientSecret: string } | undefined;
  /** Allows `/metrics` from any address; without a token only this machine may read it. */
  metricsToken?: string | undefined;
  /** How long running jobs may take to end when the App stops. */
  stopMs: number;
  /** How many jobs run at the same time. */
  slots: number;
  /** How many publications run in addition. */
  publications: number;
  /** Gets a message when a run ends or a job fails permanently. */
  notifyUrl?: string | undefined;
}

/** Reads the settings; throws one error with every problem (exit 1). */
export async function readSettings({ env: given }: Pick<System, "env">): Promise<Settings> {
  const problems: string[] = [];
  const env = readAppEnv(given, problems);
  const values = readVariables(Variables, env, problems);
  const privateKey = readKey(env, problems);
  const login = readLogin(env, problems);
  const addresses = readAddresses(env, problems);
  if (!values || problems.length > 0) throw cannotStart(problems);
  return {
    ...{ appId: values.APP_ID, privateKey, webhookSecret: values.WEBHOOK_SECRET, login },
    ...{ ...addresses, publicUrl: values.PUBLIC_URL ?? "https://github.com/apps" },
    ...{ host: values.HOST, port: values.PORT, bots: values.RALPH_BOTS },
    ...{ databaseUrl: values.DATABASE_URL, dataFolder: dataFolderOf(env) },
    ...{ metricsToken: values.METRICS_TOKEN, notifyUrl: values.NOTIFY_URL },
    ...{ stopMs: values.STOP_SECONDS * 1000, slots: values.SLOTS },
    publications: values.PUBLICATIONS,
  };
}

/** Where the data is, for commands that need nothing else; throws as `readSettings` does. */
export function readStorePlace({
  env: given,
}: Pick<System, "env">): Pick<Settings, "databaseUrl" | "dataFolder"> {
  const problems: string[] = [];
  const env = readAppEnv(given, problems);
  const values = readVariables(Variables.pick({ DATABASE_URL: true }), env, problems);
  if (!values || problems.length > 0) throw cannotStart(problems);
  return { databaseUrl: values.DATABASE_URL, dataFolder: dataFolderOf(env) };
}

/** The values of some variables; undefined if one is invalid, with a problem for each. */
export function readVariables<Schema extends z.ZodType>(
  schema: Schema,
  env: Environment,
  problems: string[],
): z.output<Schema> | undefined {
  const set = Object.entries(env).filter(([, value]) => value?.trim());
  const { data, error } = schema.safeParse(Object.fromEntries(set));
  for (const { path, message } of error?.issues ?? [])
    problems.push(`${String(path[0])} ${message}`);
  return data;
}

const cannotStart = (problems: readonly string[]) =>
  new RalphError("config", {
    message: ["The App cannot start:", ...problems.map((line) => `  ${line}`)].join("\n"),
    remedy:
      "Set the variables and start again; the README lists them, and describes how to create the App in one click.",
  });

function readKey(env: Environment, problems: string[]): string {
  const path = env.PRIVATE_KEY_PATH?.trim();
  const file = path ? readSecretFile(path) : undefined;
  const key = file?.kind === "read" ? file.text : unfold(env.PRIVATE_KEY ?? "");
  if (!path && !env.PRIVATE_KEY?.trim()) {
    problems.push("PRIVATE_KEY (or PRIVATE_KEY_PATH) is not set.");
  } else if (file?.kind === "absent") problems.push(`PRIVATE_KEY_PATH: there is no file ${path}.`);
  else if (file?.kind === "open") {
    problems.push(
      `PRIVATE_KEY_PATH: ${path} can be read by others on this machine: \`chmod 600 ${path}\`.`,
    );
  } else if (!isKey(key)) {
    const name = path ? "The file of PRIVATE_KEY_PATH" : "PRIVATE_KEY";
    problems.push(`${name} is not a private key in PEM format.`);
  }
  return key;
}

/** A variable may contain the key on one line, with `\n`, or in base64. */
function unfold(text: string): string {
  const key = text.replaceAll("\\n", "\n").trim();
  if (key === "" || key.startsWith("-----")) return key;
  return Buffer.from(key, "base64").toString().trim();
}

function isKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** The addresses of GitHub or of a GitHub Enterprise server. */
export function readAddresses(
  env: Environment,
  problems: string[],
): Pick<Settings, "apiUrl" | "serverUrl"> {
  const host = env.GHE_HOST?.trim();
  if (!host) return { apiUrl: "https://api.github.com", serverUrl: "https://github.com" };
  const protocol = env.GHE_PROTOCOL?.trim() || "https";
  if (protocol !== "https" && !/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host)) {
    problems.push("GHE_PROTOCOL must be https, because tokens are sent there.");
  }
  return { apiUrl: `${protocol}://${host}/api/v3`, serverUrl: `${protocol}://${host}` };
}

/** People return to PUBLIC_URL with a code that signs them in. */
function readLogin(env: Environment, problems: string[]): Settings["login"] {
  const { GITHUB_CLIENT_ID: clientId, GITHUB_CLIENT_SECRET: clientSecret } = env;
  if (!clientId && !clientSecret) return undefined;
  if (!clientId || !clientSecret) {
    problems.push(
      "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET must be set together; one of them is missing.",
    );
    return undefined;
  }
  const url = env.PUBLIC_URL?.trim() ?? "";
  if (url === "") {
    problems.push("PUBLIC_URL is not set: GitHub returns people to it after signing in.");
  } else if (!isSafeUrl(url)) problems.push(`PUBLIC_URL must begin with https://, not "${url}".`);
  return { clientId, clientSecret };
}

/** The path to which GitHub returns people after signing in. */
export const callbackPath = "/login/callback";

/** The path to which GitHub sends its events, Probot's default. */
export const webhookPath = "/api/github/webhooks";
