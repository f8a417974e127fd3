import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { RalphError } from "../../error.ts";
import type { Pace } from "../../platform/pace.ts";
import { refuseRedirects } from "./refuse-redirects.ts";
import { isSafeUrl } from "./safe-url.ts";
import type { StrictOctokit } from "./strict-octokit.ts";
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
  /** Called with the requests that are left in the current hour, after each answer that says so. */
  onLimit?: (remaining: number) => void;
}

/** GitHub's API for one repository. */
export interface GitHub {
  /** `owner/name`. */
  readonly repository: string;
  readonly apiUrl: string;
  /** The repository as endpoints name it: `octokit.rest.pulls.get({ ...github.repo, pull_number })`. */
  readonly repo: { readonly owner: string; readonly repo: string };
  /** Throws a RalphError with the purpose's reason; its remedy names the missing permission. */
  ask: <Answer>(
    purpose: Purpose,
    call: (octokit: StrictOctokit) => Promise<Answer>,
  ) => Promise<Answer>;
}

/** Time limit of one attempt. */
const requestMs = 30_000;
/** A rate limit that ends later than this is an error instead of a wait. */
const longestWaitSeconds = 60;
const tries = 2;
/** The version of the API that Octokit's types describe. */
const apiVersion = "2022-11-28";

const Client = Octokit.plugin(retry, throttling);
type ThrottlingGroup = NonNullable<Parameters<typeof throttling>[1]["throttle"]>["write"] & object;

/**
 * The client for all requests: each attempt has a time limit, rate limits are obeyed, and reads are retried when the
 * network or GitHub fails. Writes are sent once (design 6).
 */
export function createGitHub(access: GitHubAccess): GitHub {
  const { apiUrl, token, repository, pace = ownWritePace, onLimit } = access;
  const [owner = "", repo = ""] = splitRepository(repository);
  const baseUrl = requireSafe(apiUrl).replace(/\/+$/, "");
  const octokit = createClient({ baseUrl, token, repository, pace });
  if (onLimit) watchLimit(octokit, onLimit);
  return {
    repository,
    apiUrl: baseUrl,
    repo: { owner, repo },
    ask: async (purpose, call) => {
      try {
        return await call(octokit);
      } catch (error) {
        throw toRalphError(error, { purpose, repository });
      }
    },
  };
}

function watchLimit({ hook }: StrictOctokit, onLimit: (remaining: number) => void): void {
  hook.after("request", ({ headers }) => {
    const remaining = headers["x-ratelimit-remaining"];
    if (remaining !== undefined) onLimit(Number(remaining));
  });
}

type Connection = { baseUrl: string; token: string; repository: string; pace: Pace };

function createClient(access: Connection): StrictOctokit {
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
  const octokit = new Client({
    baseUrl: access.baseUrl,
    auth: access.token,
    userAgent: "ralph",
    request: { fetch: fetchInTime },
    // Throttling handles a 429, which says how long to wait.
    retry: { retries: tries, doNotRetry: [400, 401, 403, 404, 410, 422, 429, 451] },
    log: silent,
    throttle,
  });
  refuseRedirects(octokit);
  octokit.hook.before("request", (options) => {
    options.headers["x-github-api-version"] = apiVersion;
    if (!isRead(options)) options.request = { ...options.request, retries: 0 };
  });
  return octokit;
}

type RequestOptions = { method: string; url: string; query?: unknown };

/** A GraphQL query is sent by POST, but changes nothing. */
const isRead = ({ method, url, query }: RequestOptions) =>
  method === "GET" || (url.endsWith("/graphql") && !String(query).startsWith("mutation"));

const maxRedirects = 3;

/**
 * Creates a new signal for each attempt. A renamed or transferred repository redirects; a write must keep its method, which
 * `fetch` would change to GET, and a token is sent to no other server.
 */
async function fetchInTime(url: string, options: RequestInit): Promise<Response> {
  const send = (to: string, more: RequestInit = {}) =>
    fetch(to, { ...options, ...more, signal: AbortSignal.timeout(requestMs) });
  if (options.method === "GET" || options.redirect === "manual") return send(url);
  let answer = await send(url, { redirect: "manual" });
  for (let count = 0; count < maxRedirects; count += 1) {
    const to = redirectOf(answer, url);
    if (to === undefined) return answer;
    answer = await send(to, { redirect: "manual" });
  }
  return answer;
}

/** Where an answer points to on the same server. */
function redirectOf({ status, headers }: Response, from: string): string | undefined {
  const location = headers.get("location");
  if (![301, 302, 307, 308].includes(status) || location === null) return undefined;
  const to = new URL(location, from);
  return to.origin === new URL(from).origin ? to.href : undefined;
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
