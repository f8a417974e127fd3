import type { Probot, ProbotOctokit } from "probot";
import { RalphError } from "../../src/error.ts";
import { createGitHub, type GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { createWritePace } from "../../src/github/api/write-pace.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { Config } from "../../src/schema/config/config.ts";
import { parseConfig } from "../../src/sources/config-file.ts";
import type { Place } from "./place.ts";

/** How the App reaches GitHub: as itself, and as an installation in one repository. */
export interface Access {
  /** The App's own account, the author of everything it writes. */
  self: (place: Place) => Promise<Account>;
  /** A client whose token is valid for at least five more minutes. */
  github: (place: Place) => Promise<GitHub>;
  token: (place: Place) => Promise<string>;
  /** A new token for this repository alone, for long work on untrusted data. */
  freshToken: (place: Place) => Promise<string>;
  /** One request as the App itself. Writes are sent once and without a pause; callers that write a lot must pause. */
  asApp: (route: string, parameters?: Parameters) => Promise<AppAnswer>;
  /** The configuration on the default branch; undefined without `.ralph/ralph.yml`, a RalphError (exit 1) if invalid. */
  config: (place: Place) => Promise<Config | undefined>;
}

type Parameters = Readonly<Record<string, unknown>>;
type AppAnswer = { data: unknown; headers: Readonly<Record<string, string | number | undefined>> };

const configPath = ".ralph/ralph.yml";
/** Events come in bursts, so a change of the configuration may take effect this much later. */
const configMs = 30_000;

type Account = { id: number; login: string };

/** Sends no request before the first use: the App also starts, and stores deliveries, while GitHub is unreachable. */
export async function openAccess(
  probot: Probot,
  apiUrl: string,
  clock: Pick<Clock, "now" | "monotonic" | "sleep">,
): Promise<Access> {
  const octokit = await probot.auth();
  const tokens = createTokens(octokit, clock);
  const token = ({ installation }: Place) => tokens(installation);
  const pace = createWritePace(clock);
  const github = async (place: Place) =>
    createGitHub({ apiUrl, token: await token(place), repository: place.repository, pace });
  const known = new Map<string, { until: number; config: Promise<Config | undefined> }>();
  return {
    self: cacheSuccess(async (place: Place) => {
      const { data: app } = await octokit.request("GET /app");
      return readAccount(await github(place), `${app?.slug}[bot]`);
    }),
    token,
    freshToken: (place) => createNarrowToken(octokit, place),
    github,
    asApp: (route, parameters) => {
      const { hook } = octokit.auth as unknown as { hook: unknown };
      // Sign the request without the library's queue for writes.
      const request = route.startsWith("GET ") ? {} : { hook };
      return octokit.request(route, { ...parameters, request });
    },
    config: (place) => {
      const held = known.get(place.repository);
      if (held && held.until > clock.now()) return held.config;
      const config = github(place).then(readConfig);
      known.set(place.repository, { until: clock.now() + configMs, config });
      // Failures are not cached.
      config.catch(() => known.delete(place.repository));
      return config;
    },
  };
}

/** Only installations may read accounts, the App itself may not. */
async function readAccount(github: GitHub, username: string): Promise<Account> {
  const { data } = await github.ask(
    { act: `read the account ${username}`, permission: "metadata: read", reason: "config" },
    ({ rest }) => rest.users.getByUsername({ username }),
  );
  return data;
}

/** Asks once for all repositories; only a failed request is repeated. */
function cacheSuccess<Place, Value>(
  ask: (place: Place) => Promise<Value>,
): (place: Place) => Promise<Value> {
  let known: Promise<Value> | undefined;
  return (place) => {
    known ??= ask(place);
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
}

/** Without `ref` GitHub answers with the default branch's file. */
async function readConfig(github: GitHub): Promise<Config | undefined> {
  try {
    const { data } = await github.ask(
      { act: `read ${configPath}`, permission: "contents: read", reason: "config" },
      ({ rest }) => rest.repos.getContent({ ...github.repo, path: configPath }),
    );
    if (Array.isArray(data) || data.type !== "file" || data.encoding !== "base64") throw noFile();
    return parseConfig(Buffer.from(data.content, "base64"), configPath).config;
  } catch (error) {
    if (error instanceof RalphError && httpStatusOf(error) === 404) return undefined;
    throw error;
  }
}

const noFile = () =>
  new RalphError("config", {
    message: `${configPath} on the default branch is not a file of less than a megabyte.`,
    remedy: "Replace it with a plain file; `ralph init` writes one.",
  });

const route = "POST /app/installations/{installation_id}/access_tokens";

/** A token lives for an hour; no work starts with less than this left (F51). */
const leastMs = 5 * 60_000;

/** Returns a valid token for an installation. */
type Tokens = (installation: number) => Promise<string>;

/** Tokens of installations; each is requested once, and again before it expires. */
function createTokens(octokit: ProbotOctokit, clock: Pick<Clock, "now">): Tokens {
  const known = new Map<number, { token: string; expiresAt: number }>();
  return async (installation) => {
    const held = known.get(installation);
    if (held && held.expiresAt - clock.now() > leastMs) return held.token;
    const { data } = await octokit.request(route, { installation_id: installation });
    known.set(installation, { token: data.token, expiresAt: Date.parse(data.expires_at) });
    return data.token;
  };
}

/** A new token for a single repository of its installation. */
async function createNarrowToken(
  octokit: ProbotOctokit,
  { installation, repository }: Place,
): Promise<string> {
  const repositories = [repository.slice(repository.indexOf("/") + 1)];
  const { data } = await octokit.request(route, { installation_id: installation, repositories });
  return data.token;
}
