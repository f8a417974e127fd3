import type { AgentOutcome } from "../../core/state/roles.ts";
import type { Answer } from "./driver.ts";
import { limitOfText } from "./limit.ts";
import { failed } from "./outcome.ts";

/** The kinds of errors a program or its provider reports. Only the user can resolve the first four (design 4). */
export type ErrorKind =
  | "login"
  | "billing"
  | "model"
  | "unknown-option"
  | "limit"
  | "provider"
  | "agent";

/** An error in the program's own words. */
export interface ReportedError {
  kind: ErrorKind;
  said: string;
  /** When a limit ends (ISO), if it was stated in numbers. */
  resetsAt?: string;
}

/** One sentence per kind that says what to do; without one the driver's own remedy applies. */
export type Remedies = Readonly<Partial<Record<ErrorKind, string>>>;

const kindOfStatus: Readonly<Record<number, ErrorKind>> = {
  401: "login",
  402: "billing",
  403: "login",
  404: "model",
  408: "provider",
  429: "limit",
};

const login = new RegExp(
  [
    "not logged in",
    "please run /login",
    "(?:invalid|incorrect) (?:x-)?api[ -]key",
    "api key (?:is )?(?:not valid|missing|expired)",
    "invalid authentication",
    "failed to authenticate",
    "oauth token (?:has )?(?:expired|been revoked)",
    "set an auth method",
    "invalid auth method",
    "you must specify .{0,40}environment variable",
    "missing environment variable",
  ].join("|"),
  "i",
);
const retrySoon = /\bretry in [\d.]+ ?(?:ms|[smh])/i;
const billing =
  /credit balance is too low|check your plan and billing|payment required|insufficient[_ ]quota/i;
const model =
  /\bmodels?\b.{0,100}(?:does not exist|is not found|not found for|is not supported|may not exist)|model_not_(?:found|supported)/i;
const provider = new RegExp(
  [
    "\\b(?:ECONN\\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\\b",
    "connection (?:dropped|error|lost|refused|reset|closed|failed)",
    "waiting for network",
    "stream disconnected",
    "socket hang up",
    "fetch failed",
    "API Error: terminated",
    "overloaded",
    "at capacity",
    "experiencing high demand",
    "internal (?:server )?error",
  ].join("|"),
  "i",
);
const unknownOption = /\b(?:unknown|unrecognized|unexpected) (?:option|argument)s?\b/i;

const kindsByText: readonly (readonly [ErrorKind, RegExp])[] = [
  ["login", login],
  ["limit", retrySoon],
  ["billing", billing],
  ["model", model],
  ["provider", provider],
];

/** The kind of an error, by the provider's HTTP status or else by its text. */
export function errorKindOf(status: number | undefined, said: string): ErrorKind {
  if (status !== undefined && status >= 500) return "provider";
  const known = status === undefined ? undefined : kindOfStatus[status];
  return known ?? kindsByText.find(([, words]) => words.test(said))?.[0] ?? limitOrAgent(said);
}

const limitOrAgent = (said: string): ErrorKind => (limitOfText(said, 0) ? "limit" : "agent");

/** Reads an error message, which may contain the provider's answer as JSON. */
export function parseError(message: string): ReportedError {
  const [, wrapped] = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  const said = (wrapped ?? message).replace(/\s+/g, " ");
  return { kind: errorKindOf(statusIn(message), message), said };
}

/** The HTTP status an error message carries: `unexpected status 401`, `last status: 429`, `"code":403`. */
function statusIn(said: string): number | undefined {
  const [, inWords, inJson] = /\bstatus:? (\d{3})\b|"code": ?(\d{3})\b/.exec(said) ?? [];
  const digits = inWords ?? inJson;
  return digits === undefined ? undefined : Number(digits);
}

/** The error of a program that never began its work: an unknown option, or a request to log in. */
export function parseStartError(text: string): ReportedError | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  for (const [kind, words] of [["unknown-option", unknownOption], ...kindsByText] as const) {
    const said = lines.find((line) => words.test(line));
    if (said !== undefined && kind !== "limit") return { kind, said };
  }
  return undefined;
}

/** Whether a message is only a request to log in, so that even a call with exit code 0 has failed. */
export function isOnlyLoginNotice(message: string): boolean {
  const text = message.trim().replace(/^(?:API )?Error: /i, "");
  return text.length <= 120 && !text.includes("\n") && login.exec(text)?.index === 0;
}

/** The outcome of a failed call, with a remedy when only the user can resolve the error. */
export function answerOf(
  error: ReportedError,
  remedies: Remedies,
): Pick<Answer, "outcome" | "remedy"> {
  const remedy = remedies[error.kind];
  return { outcome: outcomeOf(error), ...(remedy !== undefined && { remedy }) };
}

/** Errors that only the user can resolve. */
const causes: Partial<Record<ErrorKind, string>> = {
  login: "it is not logged in or its key is not accepted",
  billing: "the account cannot pay for the call",
  model: "it cannot use the model",
  "unknown-option": "it does not know an option it is called with",
};

function outcomeOf({ kind, said, resetsAt }: ReportedError): AgentOutcome {
  if (kind === "limit") {
    return {
      kind: "limited",
      message: said,
      ...(resetsAt !== undefined && { resets_at: resetsAt }),
    };
  }
  const cause = causes[kind];
  if (cause !== undefined) return failed("configuration", `${cause}: ${said}`);
  return failed(kind === "provider" ? "infrastructure" : "agent", said);
}
