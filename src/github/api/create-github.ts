import { Octokit } from "@octokit/core";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { RalphError } from "../../error.ts";
import type { Pace } from "../../platform/pace.ts";
import { isSafeUrl } from "./safe-url.ts";
import { type Purpose, toRalphError } from "./to-ralph-error.ts";
import { groupOf, ownWritePace } from "./write-pace.ts";

/** Where the API is and who asks. `apiUrl` is GITHUB_API_URL, on GitHub Enterprise with `/api/v3`. */
export interface GitHubAccess {
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
  /** Whose turns writes take; without one those of the process. */
  pace?: Pace;
}

/** One request: a route such as `GET /repos/{owner}/{repo}/pulls`, its parameters, and what it is for. */
export interface ApiRequest {
  route: string;
  parameters?: Readonly<Record<string, unknown>>;
  purpose: Purpose;
  /** Answers a redirection instead of following it. */
  redirect?: "manual";
}

/** One GraphQL document with its variables; a query is tried again as a GET is, a mutation is sent once. */
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
  /** A refusal is a RalphError with the purpose's reason; its remedy names the permission that is missing. */
  ask: (request: ApiRequest) => Promise<ApiAnswer>;
  /** The same for what only GraphQL can do; answers its `data`. */
  query: (request: ApiQuery) => Promise<unknown>;
}

/** Of one attempt. */
const requestMs = 30_000;
/** A limit that ends later than this is told instead of waited for. */
const longestWaitSeconds = 60;
const tries = 2;

const Client = Octokit.plugin(retry, throttling);
type ThrottlingGroup = NonNullable<Parameters<typeof throttling>[1]["throttle"]>["write"] & object;

/**
 * The client every request goes through: each attempt has a time limit, rate limits are obeyed, and what reads is tried
 * again after a failure of the network or of GitHub. What creates or changes is sent once (design 6).
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
    // The pauses between writes count per repository.
    id: access.repository,
    // The library calls no more of a group than this.
    write: groupOf(access.pace) as unknown as ThrottlingGroup,
    // With a longer pause before some of them, the write after such a one would follow on its heels.
    triggersNotification: () => false,
    onRateLimit: isWorthIt,
    onSecondaryRateLimit: isWorthIt,
  };
  return new Client({
    baseUrl: access.baseUrl,
    auth: access.token,
    userAgent: "ralph",
    request: { fetch: fetchInTime },
    // A 429 is the limits' business: it says how long to wait.
    retry: { retries: tries, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    log: silent,
    throttle,
  });
}

/** The signal is made anew for each attempt. */
function fetchInTime(url: string, options: RequestInit): Promise<Response> {
  return fetch(url, { ...options, signal: AbortSignal.timeout(requestMs) });
}

const quiet = () => undefined;
const silent = { debug: quiet, info: quiet, warn: quiet, error: quiet };

function splitRepository(repository: string): string[] {
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return repository.split("/");
  throw new RalphError("config", {
    message: `${JSON.stringify(repository)} is not the name of a repository.`,
    remedy: "Set GITHUB_REPOSITORY to `owner/name`.",
  });
}

function requireSafe(apiUrl: string): string {
  if (isSafeUrl(apiUrl)) return apiUrl;
  throw new RalphError("config", {
    message: `The token is not sent to ${apiUrl}: that is no https address.`,
    remedy: "Set GITHUB_API_URL to an address that begins with https://.",
  });
}
