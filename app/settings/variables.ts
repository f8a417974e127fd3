import * as z from "zod";
import { isSafeUrl } from "../../src/github/api/remote-url.ts";

/** With the default and the meaning that the documentation shows; a variable without a default is required. */
const documented = <Schema extends z.ZodType>(
  schema: Schema,
  usual: string | undefined,
  meaning: string,
): Schema => schema.meta({ usual, description: meaning });

const text = z.string().trim().optional();

const url = text.refine((value = "") => value === "" || isSafeUrl(value), {
  error: ({ input }) => `must begin with https://, not "${input}".`,
});

function number({ least, most = Number.MAX_SAFE_INTEGER }: { least: number; most?: number }) {
  const range = most === Number.MAX_SAFE_INTEGER ? "" : ` from ${least} to ${most}`;
  const isInRange = (value: number) =>
    Number.isSafeInteger(value) && value >= least && value <= most;
  return z
    .string({ error: "is not set." })
    .trim()
    .refine((value) => isInRange(Number(value)), {
      error: ({ input }) => `must be a number${range}, not "${input}".`,
    })
    .transform(Number);
}

const numberOr = (usual: string, range: { least: number; most?: number }, meaning: string) =>
  documented(number(range).prefault(usual), usual, meaning);

const shortest = 16;
const fewestCharacters = 8;
/** Well-known values and placeholders are refused as secrets (T25). */
const knownSecrets =
  /^(?:development|secret|changeme|change-me|password|webhook-?secret|test|example)/i;

const isStrong = (secret: string) =>
  secret.length >= shortest &&
  !knownSecrets.test(secret) &&
  new Set(secret).size >= fewestCharacters;

/** The App's environment variables in the order of the documentation's table; Probot's names where it defines them. */
export const Variables = z.object({
  APP_ID: documented(number({ least: 1 }), undefined, "Number of the App on GitHub."),
  PRIVATE_KEY: documented(
    text,
    undefined,
    "The App's private key: PEM, with line breaks as `\\n`, or in base64.",
  ),
  PRIVATE_KEY_PATH: documented(
    text,
    "",
    "Instead of PRIVATE_KEY: a file with the key that others cannot read.",
  ),
  WEBHOOK_SECRET: documented(
    z
      .string({ error: "is not set: anyone could send events." })
      .refine(
        isStrong,
        "is too easy to guess: use 32 random characters, such as the output of `openssl rand -hex 32`.",
      ),
    undefined,
    "The secret with which GitHub signs deliveries: 32 random characters. Weak ones are refused.",
  ),
  PUBLIC_URL: documented(
    text,
    "",
    "The address at which people and GitHub reach the App, such as `https://ralph.example.org`; claims name it, too.",
  ),
  HOST: documented(
    z.string().trim().default("127.0.0.1"),
    "127.0.0.1",
    "Address to listen on; the container listens on `0.0.0.0`.",
  ),
  PORT: numberOr("3000", { least: 0, most: 65_535 }, "Port to listen on."),
  RALPH_DATA_DIR: documented(
    text,
    "$XDG_STATE_HOME/ralph-app",
    "Folder of the embedded database and of temporary files.",
  ),
  RALPH_APP_ENV: documented(
    text,
    "$RALPH_DATA_DIR/app.env",
    "File with these settings as `NAME=value` lines. Set variables take precedence.",
  ),
  DATABASE_URL: documented(
    text.refine(
      (value) => value === undefined || /^postgres(?:ql)?:\/\//.test(value),
      "must begin with postgres://.",
    ),
    "embedded",
    "`postgres://…`: stores all data there, so that several replicas can share the work.",
  ),
  GITHUB_CLIENT_ID: documented(
    z.string().optional(),
    "",
    "With GITHUB_CLIENT_SECRET: people sign in with GitHub to see the pages. Without both there are no pages.",
  ),
  GITHUB_CLIENT_SECRET: documented(z.string().optional(), "", "Belongs to GITHUB_CLIENT_ID."),
  RALPH_BOTS: documented(
    z
      .string()
      .default("")
      .transform((list) => list.split(/[\s,]+/).filter((id) => id !== ""))
      .refine(
        (ids) => ids.every((id) => /^[1-9]\d{0,12}$/.test(id)),
        "must be a list of account ids, such as 49699333, separated by commas.",
      )
      .transform((ids) => ids.map(Number)),
    "",
    "Ids of bot accounts whose labels and pushes count, separated by commas.",
  ),
  METRICS_TOKEN: documented(
    z.string().min(shortest, "is too easy to guess: use 32 characters.").optional(),
    "",
    "The bearer token for `/metrics`; without a token only this machine may read it.",
  ),
  // Container platforms kill a process 30 seconds after asking it to stop.
  STOP_SECONDS: numberOr(
    "25",
    { least: 1 },
    "How long running jobs may take to end after SIGTERM; interrupted jobs are repeated.",
  ),
  NOTIFY_URL: documented(
    url,
    "",
    "Address that receives a message as JSON (`text`, `event` and its fields) when a run ends or a job fails permanently; chat services accept it as it is.",
  ),
  SLOTS: numberOr("4", { least: 1, most: 64 }, "How many jobs run at the same time."),
  PUBLICATIONS: numberOr(
    "2",
    { least: 1, most: 32 },
    "How many publications run in addition; each may need a gigabyte of memory, and nothing else waits for one.",
  ),
  GHE_HOST: documented(
    text.refine((host) => host === undefined || /^[\w.-]+(?::\d+)?$/.test(host), {
      error: ({ input }) => `must be the name of a server, not "${input}".`,
    }),
    "github.com",
    "Your GitHub Enterprise server.",
  ),
  GHE_PROTOCOL: documented(
    z.string().trim().default("https"),
    "https",
    "Other values are for tests on one machine.",
  ),
  GH_ORG: documented(
    text.refine((name = "") => /^[\w-]{0,100}$/.test(name), "must be the name of an organization."),
    "",
    "For `npm run app -- setup`: the organization that will own the App. The default is your own account.",
  ),
});
