import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { RalphError } from "../../error.ts";
import type { Pace } from "../../platform/pace.ts";
import { isSafeUrl } from "./safe-url.ts";
import { type Purpose, toRalphError } from "./to-ralph-error.ts";
import { groupOf, ownWritePace } from "./write-pace.ts";

/** Address and credentials of the API. `apiUrl` is GITHUB_API_URL, on GitHub Enterprise with `/api/v3`. */
export interface GitHubAccess {
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
  /** Limits the rate of writes; default: one pace for the whole process. */
  pace?: Pace;
}

/** One request: a route such as `GET /repos/{owner}/{repo}/pulls`, its parameters and its purpose. */
export interface ApiRequest {
  route: string;
  parameters?: Readonly<Record<string, unknown>>;
  purpose: Purpose;
  /** Returns a redirection instead of following it. */
  redirect?: "manual";
}

/** One GraphQL document with its variables; a query is retried like a GET, a mutation is sent once. */
export interface ApiQuery {
  query: string;
  variables?: Readonly<Record<string, unknown>>;
  purpose: Purpose;
}

export interface ApiAnswer {
  status: number;
  headers: Readonly<Record<string, string | number | undefined>>;
  data: unknown;
}

/** GitHub's API for one repository; `{owner}` and `{repo}` of a route are filled in. */
export interface GitHub {
  readonly repository: string;
  readonly apiUrl: string;
  /** Throws a RalphError with the purpose's reason; its remedy names the missing permission. */
  ask: (request: ApiRequest) => Promise<ApiAnswer>;
  /** The same for GraphQL; returns its `data`. */
  query: (request: ApiQuery) => Promise<unknown>;
}

/** Time limit of one attempt. */
const requestMs = 30_000;
/** A rate limit that ends later than this is an error instead of a wait. */
const longestWaitSeconds = 60;
const tries = 2;

const Client = Octokit.plugin(retry, throttling);
type ThrottlingGroup = NonNullable<Parameters<typeof throttling>[1]["throttle"]>["write"] & object;

/**
 * The client for all requests: each attempt has a time limit, rate limits are obeyed, and reads are retried when the
 * network or GitHub fails. Writes are sent once (design 6).
 */
export function createGitHub(access: GitHubAccess): GitHub {
  const { apiUrl, token, repository, pace = ownWritePace } = access;
  const [owner = "", repo = ""] = splitRepository(repository);
  const baseUrl = requireSafe(apiUrl).replace(/\/+$/, "");
  const octokit = createClient({ baseUrl, token, repository, pace });
  return {
    repository,
    apiUrl: baseUrl,
    ask: async ({ route, parameters, purpose, redirect }) => {
      const sentOnce = !route.startsWith("GET ") && { retries: 0 };
      const request = { ...sentOnce, ...(redirect && { redirect }) };
      try {
        const answer = await octokit.request(route, { owner, repo, ...parameters, request });
        return { status: answer.status, headers: answer.headers, data: answer.data };
      } catch (error) {
        throw toRalphError(error, { purpose, repository });
      }
    },
    query: async ({ query, variables, purpose }) => {
      const request = query.startsWith("mutation") ? { retries: 0 } : {};
      try {
        return await octokit.graphql(query, { ...variables, request });
      } catch (error) {
        throw toRalphError(error, { purpose, repository });
      }
    },
  };
}

type Connection = { baseUrl: string; token: string; repository: string; pace: Pace };

function createClient(access: Connection) {
  const isWorthIt = (seconds: number, ...[, , count]: [unknown, unknown, number]) =>
    seconds <= longestWaitSeconds && count < tries;
  const throttle = {
    // Pauses between writes are counted per repository.
    id: access.repository,
    // The library calls nothing else of a group.
    write: groupOf(access.pace) as unknown as ThrottlingGroup,
    // A longer pause before some writes would let the next one follow at once.
    triggersNotification: () => false,
    onRateLimit: isWorthIt,
    onSecondaryRateLimit: isWorthIt,
  };
  return new Client({
    baseUrl: access.baseUrl,
    auth: access.token,
    userAgent: "ralph",
    request: { fetch: fetchInTime },
    // Throttling handles a 429, which says how long to wait.
    retry: { retries: tries, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    log: silent,
    throttle,
  });
}

/** Creates a new signal for each attempt. */
function fetchInTime(url: string, options: RequestInit): Promise<Response> {
  return fetch(url, { ...options, signal: AbortSignal.timeout(requestMs) });
}

const quiet = () => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function splitRepository(repository: string): string[] {
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return repository.split("/");
  throw new RalphError("config", {
    message: `${JSON.stringify(repository)} is not a repository name.`,
    remedy: "Set GITHUB_REPOSITORY to `owner/name`.",
  });
}

function requireSafe(apiUrl: string): string {
  if (isSafeUrl(apiUrl)) return apiUrl;
  throw new RalphError("config", {
    message: `The token is not sent to ${apiUrl}: it is not an https address.`,
    remedy: "Set GITHUB_API_URL to an address that begins with https://.",
  });
}
