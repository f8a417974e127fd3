import { RalphError, type StopReason } from "../../error.ts";

/** What a request is for: the words of its refusal. */
export interface Purpose {
  /** Completes "GitHub refused to …", such as "list the artifacts of run 12". */
  act: string;
  /** The permission a job needs for it, such as `actions: read`. */
  permission: string;
  reason: StopReason;
}

type Frame = { purpose: Purpose; repository: string };

/** A failed request as the user should see it. What is no answer of GitHub's and no broken connection passes through. */
export function toRalphError(error: unknown, frame: Frame): unknown {
  const { purpose, repository } = frame;
  const until = limitEnd(error);
  if (until !== undefined) {
    return new RalphError(purpose.reason, { ...limitWords(until, purpose), cause: error });
  }
  if (isQueryError(error)) {
    const words = error.errors.map(({ message }) => message).join(" ");
    const message = `GitHub refused to ${purpose.act} in ${repository}: ${words}`;
    const remedy = remedyFor(403, purpose.permission);
    return new RalphError(purpose.reason, { message, remedy, cause: error });
  }
  if (!isRequestError(error)) return error;
  return new RalphError(purpose.reason, { ...describe(error, frame), cause: error });
}

/** Whether a rate limit is the reason: nothing lacks a permission, and later the same may work. */
export function isRateLimited(error: unknown): boolean {
  return limitEnd(error instanceof RalphError ? error.cause : error) !== undefined;
}

/** The status an error was made from; 500 also stands for a connection that failed. */
export function httpStatusOf(error: unknown): number | undefined {
  const cause = error instanceof RalphError ? error.cause : error;
  return isRequestError(cause) ? cause.status : undefined;
}

type Headers = Readonly<Record<string, string | number | undefined>>;
type RequestError = Error & { status: number; response?: { headers: Headers } };

function isRequestError(error: unknown): error is RequestError {
  return error instanceof Error && "status" in error && typeof error.status === "number";
}

type QueryError = Error & { errors: readonly QueryProblem[]; headers?: Headers };
type QueryProblem = { message: string; type?: string };

/** GraphQL answers 200 and says in the answer what went wrong. */
function isQueryError(error: unknown): error is QueryError {
  return error instanceof Error && error.name === "GraphqlResponseError" && "errors" in error;
}

function describe(error: RequestError, { purpose, repository }: Frame) {
  const { act, permission } = purpose;
  const { status, response } = error;
  // The library adds the address of a page that explains the status.
  const words = error.message.replace(/ - https:\/\/docs\.github\.com\S*$/, "");
  if (!response) {
    return {
      message: `GitHub could not be asked to ${act}: ${words}.`,
      remedy: "Check the network and GITHUB_API_URL, then try again.",
    };
  }
  const message = `GitHub refused to ${act} in ${repository}: ${words} (${status}).`;
  const sign = signOn(response.headers);
  return { message, remedy: sign ?? remedyFor(status, permission) };
}

function limitWords(until: string, { act }: Purpose) {
  return {
    message: `GitHub's rate limit is used up, so it refused to ${act}${until && ` until ${until}`}.`,
    remedy: "Try again later, or give a token of an App, which has a limit of its own.",
  };
}

/** An organization may ask for its own sign-on; GitHub says where. */
function signOn(headers: Headers): string | undefined {
  const url = /url=(https:\S+)/.exec(String(headers["x-github-sso"] ?? ""))?.[1];
  return url && `Authorize the token for the organization, then try again: ${url}`;
}

function remedyFor(status: number, permission: string): string {
  if (status === 401) {
    return "Give a token that is valid by the input `github-token`; those of Apps end after an hour.";
  }
  if (status === 403 || status === 404) {
    return `Give the job \`${permission}\` under \`permissions:\`, or the token that right on this repository.`;
  }
  if (status >= 500) return "Try again later; https://www.githubstatus.com tells about outages.";
  return "Correct what GitHub names above, then try again.";
}

/** When a rate limit ends, "" when that is not stated; undefined when the refusal is of another kind. */
function limitEnd(error: unknown): string | undefined {
  const headers = limitHeaders(error);
  if (!headers) return undefined;
  const isPrimary = String(headers["x-ratelimit-remaining"]) === "0";
  const reset = Number(headers["x-ratelimit-reset"]);
  return isPrimary && reset > 0 ? new Date(reset * 1000).toISOString() : "";
}

/** Those of an answer that says so: by its status, or within an answer of GraphQL. */
function limitHeaders(error: unknown): Headers | undefined {
  if (isQueryError(error)) return isLimit(error.errors) ? (error.headers ?? {}) : undefined;
  if (!hasResponse(error)) return undefined;
  const { status, response } = error;
  // What the throttling plugin makes of an answer of GraphQL has no status.
  const isLimited =
    status === undefined
      ? isLimit(response.data?.errors ?? [])
      : isLimitStatus(status, response.headers);
  return isLimited ? response.headers : undefined;
}

function isLimitStatus(status: number, headers: Headers): boolean {
  const isUsedUp = String(headers["x-ratelimit-remaining"]) === "0";
  const hasPause = headers["retry-after"] !== undefined;
  return status === 429 || (status === 403 && (isUsedUp || hasPause));
}

const isLimit = (errors: readonly Pick<QueryProblem, "type">[]) =>
  errors.some(({ type }) => type === "RATE_LIMITED");

type Answered = Error & {
  status?: number;
  response: { headers: Headers; data?: { errors?: readonly QueryProblem[] } };
};

function hasResponse(error: unknown): error is Answered {
  return error instanceof Error && "response" in error && error.response !== undefined;
}
