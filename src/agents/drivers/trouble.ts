import type { AgentOutcome } from "../../core/state/event.ts";
import type { Answer } from "./driver.ts";
import { limitOfText } from "./limit.ts";
import { failed } from "./outcome.ts";

/** What a program or its provider complains of. The first four only the user can mend (design 4). */
export type Trouble =
  | "login"
  | "billing"
  | "model"
  | "unknown-option"
  | "limit"
  | "provider"
  | "agent";

/** A trouble in the program's own words. */
export interface Complaint {
  trouble: Trouble;
  said: string;
  /** When a limit ends (ISO), if it was stated in numbers. */
  resetsAt?: string;
}

/** One sentence per trouble that says what to do; without one the driver's own remedy is given. */
export type Remedies = Readonly<Partial<Record<Trouble, string>>>;

const troubleOfCode: Readonly<Record<number, Trouble>> = {
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
    "overloaded",
    "at capacity",
    "experiencing high demand",
    "internal (?:server )?error",
  ].join("|"),
  "i",
);
const unknownOption = /\b(?:unknown|unrecognized|unexpected) (?:option|argument)s?\b/i;

const byWords: readonly (readonly [Trouble, RegExp])[] = [
  ["login", login],
  ["limit", retrySoon],
  ["billing", billing],
  ["model", model],
  ["provider", provider],
];

/** The trouble behind an HTTP status of the provider, or behind the words alone when that decides nothing. */
export function troubleOf(status: number | undefined, said: string): Trouble {
  if (status !== undefined && status >= 500) return "provider";
  const known = status === undefined ? undefined : troubleOfCode[status];
  return known ?? byWords.find(([, words]) => words.test(said))?.[0] ?? troubleOfLimit(said);
}

const troubleOfLimit = (said: string): Trouble => (limitOfText(said, 0) ? "limit" : "agent");

/** A complaint made of an error message, which may wrap the provider's answer in JSON. */
export function complaintOfError(message: string): Complaint {
  const [, wrapped] = /"message": ?"((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  const said = (wrapped ?? message).replace(/\s+/g, " ");
  return { trouble: troubleOf(statusIn(message), message), said };
}

/** The HTTP status an error message carries: `unexpected status 401`, `last status: 429`, `"code":403`. */
function statusIn(said: string): number | undefined {
  const [, inWords, inJson] = /\bstatus:? (\d{3})\b|"code": ?(\d{3})\b/.exec(said) ?? [];
  const digits = inWords ?? inJson;
  return digits === undefined ? undefined : Number(digits);
}

/** What a program that never began its work said: it does not know our options, or asks for a login. */
export function complaintOfStart(text: string): Complaint | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  for (const [trouble, words] of [["unknown-option", unknownOption], ...byWords] as const) {
    const said = lines.find((line) => words.test(line));
    if (said !== undefined && trouble !== "limit") return { trouble, said };
  }
  return undefined;
}

/** Is the whole message nothing but a call for a login? Then a call that ended well has failed all the same. */
export function isOnlyLoginNotice(message: string): boolean {
  const text = message.trim().replace(/^(?:API )?Error: /i, "");
  return text.length <= 120 && !text.includes("\n") && login.exec(text)?.index === 0;
}

/** The outcome of a call that ended in trouble, with the way out where only the user can mend it. */
export function answerOf(
  complaint: Complaint,
  remedies: Remedies,
): Pick<Answer, "outcome" | "remedy"> {
  const remedy = remedies[complaint.trouble];
  return { outcome: outcomeOf(complaint), ...(remedy !== undefined && { remedy }) };
}

function outcomeOf({ trouble, said, resetsAt }: Complaint): AgentOutcome {
  switch (trouble) {
    case "login":
      return failed("configuration", `it is not logged in or its key is not accepted: ${said}`);
    case "billing":
      return failed("configuration", `the account cannot pay for the call: ${said}`);
    case "model":
      return failed("configuration", `it cannot use the model: ${said}`);
    case "unknown-option":
      return failed("configuration", `it does not know an option it is called with: ${said}`);
    case "provider":
      return failed("infrastructure", said);
    case "agent":
      return failed("agent", said);
    case "limit":
      return {
        kind: "limited",
        message: said,
        ...(resetsAt !== undefined && { resets_at: resetsAt }),
      };
  }
}
