import { RalphError, type StopReason } from "../../error.ts";

/** Describes a request in the message of its error. */
export interface Purpose {
  /** Completes "GitHub refused to …", such as "list the artifacts of run 12". */
  act: string;
  /** The permission a job needs for it, such as `actions: read`. */
  permission: string;
  reason: StopReason;
}

type RequestContext = { purpose: Purpose; repository: string };

/** Turns a failed request into an error for users. Errors that are neither an answer of GitHub's nor a broken connection pass through. */
export function toRalphError(error: unknown, context: RequestContext): unknown {
  const { purpose, repository } = context;
  const until = limitEnd(error);
  if (until !== undefined) {
    return new RalphError(purpose.reason, { ...limitMessage(until, purpose), cause: error });
  }
  const { name, errors } = failureOf(error);
  // GraphQL answers 200 and reports errors in its answer.
  if (name === "GraphqlResponseError" && errors) {
    const problems = errors.map(({ message }) => message).join(" ");
    const message = `GitHub refused to ${purpose.act} in ${repository}: ${problems}`;
    const remedy = remedyFor(403, purpose.permission);
    return new RalphError(purpose.reason, { message, remedy, cause: error });
  }
  if (httpStatusOf(error) === undefined) return error;
  return new RalphError(purpose.reason, { ...describe(failureOf(error), context), cause: error });
}

/** Whether a rate limit is the reason: the same request may work later. */
export function isRateLimited(error: unknown): boolean {
  return limitEnd(error instanceof RalphError ? error.cause : error) !== undefined;
}

/** The HTTP status behind an error; 500 also means a failed connection. */
export function httpStatusOf(error: unknown): number | undefined {
  const { status } = failureOf(error instanceof RalphError ? error.cause : error);
  return typeof status === "number" ? status : undefined;
}

type Headers = Readonly<Record<string, string | number | undefined>>;
type QueryProblem = { message: string; type?: string };

/** The fields of the library's errors: of a request, of a GraphQL answer, and of the throttling plugin. */
type Failure = Partial<Error> & {
  status?: number;
  response?: { headers: Headers; data?: { errors?: readonly QueryProblem[] } };
  errors?: readonly QueryProblem[];
  headers?: Headers;
};

const failureOf = (error: unknown): Failure => (error instanceof Error ? error : {});

function describe(failure: Failure, { purpose, repository }: RequestContext) {
  const { act, permission } = purpose;
  const { status = 500, response, message: said = "" } = failure;
  // The library appends the address of a page that explains the status.
  const text = said.replace(/ - https:\/\/docs\.github\.com\S*$/, "");
  if (!response) {
    return {
      message: `The request to ${act} did not reach GitHub: ${text}.`,
      remedy:
        "Check the network, HTTPS_PROXY (an http or https proxy) and GITHUB_API_URL, then try again.",
    };
  }
  const message = `GitHub refused to ${act} in ${repository}: ${text} (${status}).`;
  return { message, remedy: signOn(response.headers) ?? remedyFor(status, permission) };
}

function limitMessage(until: string, { act }: Purpose) {
  return {
    message: `GitHub's rate limit is used up, so it refused to ${act}${until && ` until ${until}`}.`,
    remedy: "Try again later, or use the token of an App, which has its own limit.",
  };
}

/** An organization may require single sign-on; GitHub gives the address. */
function signOn(headers: Headers): string | undefined {
  const url = /url=(https:\S+)/.exec(String(headers["x-github-sso"] ?? ""))?.[1];
  return url && `Authorize the token for the organization, then try again: ${url}`;
}

function remedyFor(status: number, permission: string): string {
  if (status === 401) {
    return "Set the input `github-token` to a valid token; tokens of Apps expire after an hour.";
  }
  if (status === 403 || status === 404) {
    return `Give the job \`${permission}\` under \`permissions:\`, or give the token that permission on this repository.`;
  }
  if (status >= 500) return "Try again later; https://www.githubstatus.com reports outages.";
  return "Correct the problem GitHub names above, then try again.";
}

/** The end of a rate limit, "" when GitHub does not state it; undefined for any other error. */
function limitEnd(error: unknown): string | undefined {
  const headers = limitHeaders(error);
  if (!headers) return undefined;
  const isPrimary = String(headers["x-ratelimit-remaining"]) === "0";
  const reset = Number(headers["x-ratelimit-reset"]);
  return isPrimary && reset > 0 ? new Date(reset * 1000).toISOString() : "";
}

/** Headers of an answer that reports a rate limit, by its status or in a GraphQL error. */
function limitHeaders(error: unknown): Headers | undefined {
  const { status, response, errors = response?.data?.errors ?? [], ...more } = failureOf(error);
  const { headers = response?.headers ?? {} } = more;
  // Errors of GraphQL have no status.
  if (status === undefined) {
    return errors.some(({ type }) => type === "RATE_LIMITED") ? headers : undefined;
  }
  const isUsedUp = String(headers["x-ratelimit-remaining"]) === "0";
  const isPaused = status === 403 && (isUsedUp || headers["retry-after"] !== undefined);
  return response && (status === 429 || isPaused) ? headers : undefined;
}
