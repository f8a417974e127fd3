import { createPrivateKey } from "node:crypto";
import { RalphError } from "../../src/error.ts";
import { isSafeUrl } from "../../src/github/api/remote-url.ts";
import { readSecretFile } from "../../src/platform/secrets/secret-file.ts";
import type { Environment, System } from "../../src/platform/system.ts";
import { dataFolderOf, readAppEnv } from "./app-env.ts";

/** The App's settings; the variables have Probot's names where it defines them. */
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
  stopMs?: number;
  /** How many jobs run at the same time. */
  slots?: number;
  /** How many publications run besides. */
  publications?: number;
  /** Gets a message when a run ends or a job fails permanently. */
  notifyUrl?: string | undefined;
}

/** Well-known values and placeholders are refused as secrets (T25). */
const knownSecrets =
  /^(?:development|secret|changeme|change-me|password|webhook-?secret|test|example)/i;
const shortest = 16;
const fewestCharacters = 8;

/** Reads the settings; throws one error with every problem (exit 1). */
export async function readSettings({ env: given }: Pick<System, "env">): Promise<Settings> {
  const problems: string[] = [];
  const env = readAppEnv(given, problems);
  const settings: Settings = {
    appId: readNumber(env, { name: "APP_ID", least: 1 }, problems),
    privateKey: readKey(env, problems),
    webhookSecret: readSecret(env, problems),
    ...readAddresses(env, problems),
    host: env.HOST?.trim() || "127.0.0.1",
    port: readNumber(env, { name: "PORT", least: 0, most: 65_535, usual: 3000 }, problems),
    publicUrl: env.PUBLIC_URL?.trim() || "https://github.com/apps",
    bots: readBots(env, problems),
    databaseUrl: readDatabase(env, problems),
    dataFolder: dataFolderOf(env),
    login: readLogin(env, problems),
    metricsToken: readMetricsToken(env, problems),
    stopMs:
      1000 *
      readNumber(env, { name: "STOP_SECONDS", least: 1, usual: defaultStopMs / 1000 }, problems),
    notifyUrl: readNotifyUrl(env, problems),
    slots: readNumber(env, { name: "SLOTS", least: 1, most: 64, usual: defaultSlots }, problems),
    publications: readNumber(
      env,
      { name: "PUBLICATIONS", least: 1, most: 32, usual: defaultPublications },
      problems,
    ),
  };
  if (problems.length === 0) return settings;
  throw cannotStart(problems);
}

const cannotStart = (problems: readonly string[]) =>
  new RalphError("config", {
    message: ["The App cannot start:", ...problems.map((line) => `  ${line}`)].join("\n"),
    remedy:
      "Set the variables and start again; the README lists them, and describes how to create the App in one click.",
  });

/** Where the data is, for commands that need nothing else; throws as `readSettings` does. */
export function readStorePlace({
  env: given,
}: Pick<System, "env">): Pick<Settings, "databaseUrl" | "dataFolder"> {
  const problems: string[] = [];
  const env = readAppEnv(given, problems);
  const place = { databaseUrl: readDatabase(env, problems), dataFolder: dataFolderOf(env) };
  if (problems.length === 0) return place;
  throw cannotStart(problems);
}

type NumberSetting = { name: string; least: number; most?: number; usual?: number };

function readNumber(
  env: Environment,
  { name, least, most = Number.MAX_SAFE_INTEGER, usual }: NumberSetting,
  problems: string[],
): number {
  const text = env[name]?.trim() ?? "";
  if (text === "" && usual !== undefined) return usual;
  const value = Number(text);
  const isInRange = Number.isSafeInteger(value) && value >= least && value <= most;
  if (text !== "" && isInRange) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? "" : ` from ${least} to ${most}`;
  problems.push(
    text === "" ? `${name} is not set.` : `${name} must be a number${range}, not "${text}".`,
  );
  return least;
}

function readSecret(env: Environment, problems: string[]): string {
  const secret = env.WEBHOOK_SECRET ?? "";
  const isWeak =
    secret.length < shortest ||
    knownSecrets.test(secret) ||
    new Set(secret).size < fewestCharacters;
  if (secret === "") problems.push("WEBHOOK_SECRET is not set: anyone could send events.");
  else if (isWeak) {
    problems.push(
      "WEBHOOK_SECRET is too easy to guess: use 32 random characters, such as the output of `openssl rand -hex 32`.",
    );
  }
  return secret;
}

function readKey(env: Environment, problems: string[]): string {
  const path = env.PRIVATE_KEY_PATH?.trim();
  if (!path && !env.PRIVATE_KEY?.trim()) {
    problems.push("PRIVATE_KEY (or PRIVATE_KEY_PATH) is not set.");
    return "";
  }
  const text = path ? readKeyFile(path, problems) : unfold(env.PRIVATE_KEY ?? "");
  if (text !== undefined && !isKey(text)) {
    problems.push(
      `${path ? "The file of PRIVATE_KEY_PATH" : "PRIVATE_KEY"} is not a private key in PEM format.`,
    );
  }
  return text ?? "";
}

/** Undefined, with a problem, if the file cannot be used. */
function readKeyFile(path: string, problems: string[]): string | undefined {
  const file = readSecretFile(path);
  if (file.kind === "read") return file.text;
  problems.push(
    file.kind === "absent"
      ? `PRIVATE_KEY_PATH: there is no file ${path}.`
      : `PRIVATE_KEY_PATH: ${path} can be read by others on this machine: \`chmod 600 ${path}\`.`,
  );
  return undefined;
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
  const host = env.GHE_HOST?.trim() ?? "";
  if (host === "") return { apiUrl: "https://api.github.com", serverUrl: "https://github.com" };
  if (!/^[\w.-]+(?::\d+)?$/.test(host))
    problems.push(`GHE_HOST must be the name of a server, not "${host}".`);
  const isLocal = /^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(host);
  const protocol = env.GHE_PROTOCOL?.trim() || "https";
  if (protocol !== "https" && !isLocal)
    problems.push("GHE_PROTOCOL must be https, because tokens are sent there.");
  return { apiUrl: `${protocol}://${host}/api/v3`, serverUrl: `${protocol}://${host}` };
}

function readBots({ RALPH_BOTS: text = "" }: Environment, problems: string[]): number[] {
  const ids = text.split(/[\s,]+/).filter((id) => id !== "");
  if (!ids.every((id) => /^[1-9]\d{0,12}$/.test(id))) {
    problems.push(
      "RALPH_BOTS must be a list of account ids, such as 49699333, separated by commas.",
    );
  }
  return ids.map(Number);
}

function readDatabase(env: Environment, problems: string[]): string | undefined {
  const url = env.DATABASE_URL?.trim();
  if (!url) return undefined;
  if (!/^postgres(?:ql)?:\/\//.test(url))
    problems.push("DATABASE_URL must begin with postgres://.");
  return url;
}

function readLogin(env: Environment, problems: string[]): Settings["login"] {
  const { GITHUB_CLIENT_ID: clientId = "", GITHUB_CLIENT_SECRET: clientSecret = "" } = env;
  if (clientId === "" && clientSecret === "") return undefined;
  if (clientId !== "" && clientSecret !== "") {
    checkPublicUrl(env, problems);
    return { clientId, clientSecret };
  }
  problems.push(
    "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET must be set together; one of them is missing.",
  );
  return undefined;
}

/** People return to it with a code that signs them in. */
function checkPublicUrl({ PUBLIC_URL: url = "" }: Environment, problems: string[]): void {
  if (isSafeUrl(url.trim())) return;
  problems.push(
    url.trim() === ""
      ? "PUBLIC_URL is not set: GitHub returns people to it after signing in."
      : `PUBLIC_URL must begin with https://, not "${url}".`,
  );
}

function readMetricsToken(
  { METRICS_TOKEN: token = "" }: Environment,
  problems: string[],
): string | undefined {
  if (token === "") return undefined;
  if (token.length < shortest)
    problems.push("METRICS_TOKEN is too easy to guess: use 32 characters.");
  return token;
}

function readNotifyUrl(
  { NOTIFY_URL: url = "" }: Environment,
  problems: string[],
): string | undefined {
  if (url.trim() === "") return undefined;
  if (!isSafeUrl(url.trim())) problems.push(`NOTIFY_URL must begin with https://, not "${url}".`);
  return url.trim();
}

/** Container platforms kill a process 30 seconds after asking it to stop. */
export const defaultStopMs = 25_000;

/** Jobs mostly wait for GitHub. */
export const defaultSlots = 4;

/** Each may need a gigabyte for a large session. */
export const defaultPublications = 2;
