import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { Octokit } from "@octokit/rest";
import { RalphError } from "../../error.ts";
import type { Pace } from "../../platform/clock.ts";
import { fetchInTime, refuseRedirects } from "./redirects.ts";
import { isSafeUrl } from "./remote-url.ts";
import { type Purpose, toRalphError } from "./to-ralph-error.ts";
import { groupOf, ownWritePace } from "./write-pace.ts";

/** Address and credentials of the API. `apiUrl` is GITHUB_API_URL, on GitHub Enterprise with `/api/v3`. */
export interface GitHubAccess {
  apiUrl: string;
  token: string;
  repository: string;
  /** Limits the rate of writes; default: one pace for the whole process. */
  pace?: Pace;
  /** Called with the requests that are left in the current hour, after each answer that says so. */
  onLimit?: (remaining: number) => void;
}

type Rest = Octokit["rest"];

/** Without the index signature, by which a misspelled parameter would compile. */
type Known<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };

type Strict<Endpoint> = Endpoint extends (parameters?: infer Parameters) => infer Answer
  ? ((parameters: Known<NonNullable<Parameters>>) => Answer) & Pick<Endpoint, keyof Endpoint>
  : never;

/** Octokit whose endpoints take exactly the parameters GitHub describes: a wrong or missing one does not compile. */
export type StrictOctokit = Omit<Octokit, "rest"> & {
  readonly rest: {
    [Scope in keyof Rest]: { [Name in keyof Rest[Scope]]: Strict<Rest[Scope][Name]> };
  };
};

/** GitHub's API for one repository. */
export interface GitHub {
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
export function createGitHub({ apiUrl, repository, onLimit, ...access }: GitHubAccess): GitHub {
  const [owner = "", repo = ""] = splitRepository(repository);
  const baseUrl = requireSafe(apiUrl).replace(/\/+$/, "");
  const octokit = createClient({ apiUrl: baseUrl, repository, ...access });
  octokit.hook.after("request", ({ headers }) => {
    const remaining = headers["x-ratelimit-remaining"];
    if (remaining !== undefined) onLimit?.(Number(remaining));
  });
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

function createClient({ apiUrl, token, repository, pace = ownWritePace }: GitHubAccess) {
  const isWorthIt = (seconds: number, ...[, , count]: [unknown, unknown, number]) =>
    seconds <= longestWaitSeconds && count < tries;
  const throttle = {
    // Pauses between writes are counted per repository.
    id: repository,
    // The library calls nothing else of a group.
    write: groupOf(pace) as unknown as ThrottlingGroup,
    // A longer pause before some writes would let the next one follow at once.
    triggersNotification: () => false,
    onRateLimit: isWorthIt,
    onSecondaryRateLimit: isWorthIt,
  };
  const octokit = new Client({
    baseUrl: apiUrl,
    auth: token,
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

/** A GraphQL query is sent by POST, but changes nothing. */
const isRead = ({ method, url, query }: { method: string; url: string; query?: unknown }) =>
  method === "GET" || (url.endsWith("/graphql") && !String(query).startsWith("mutation"));

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
