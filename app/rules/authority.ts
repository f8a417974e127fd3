import { pathMatcher } from "../../src/core/checks/path-pattern.ts";
import type { WorkRequest } from "../../src/schema/work-request.ts";

/** The kind of account behind an event, by the payload and GitHub's API, never by the spelling of a login (T27). */
export type ActorKind =
  | "user"
  /** A person whose login looks like a bot's. */
  | "bot-named-user"
  /** This App: its own actions must not start it again (T32). */
  | "self"
  /** A bot the configuration lists by its id. */
  | "listed-bot"
  | "actions-bot"
  | "other-bot"
  /** An App that acts without the suffix of bots. */
  | "suffixless-app"
  | "organization"
  | "mannequin"
  /** The account was deleted, or the payload names none. */
  | "ghost"
  /** GitHub does not know the account in this repository (404). */
  | "unknown"
  /** GitHub did not answer. */
  | "unreachable";

/** GitHub's permission of an account in a repository (T29). */
export type Permission = "admin" | "maintain" | "write" | "triage" | "read";

/** The kind of request an event makes: a start, a change to running work, or a question. Starts and changes spend money or change files. */
export type Trigger = WorkRequest["trigger"] | "steer-command" | "look-command";

export type Verdict = { kind: "allowed" } | { kind: "denied"; because: string };

const writers: readonly Permission[] = ["admin", "maintain", "write"];
/** A listed bot may start work but not steer the work of people. */
const botTriggers: readonly Trigger[] = ["label", "autopilot-label", "report-push"];

/**
 * Whether an account may start or steer work (G04): people with write permission may, and bots that are listed by id
 * within their triggers. An unknown permission denies. A schedule has only the default branch's configuration behind it.
 */
export function mayTrigger(
  trigger: Trigger,
  { actor, permission }: { actor: ActorKind; permission: Permission },
): Verdict {
  if (trigger === "schedule") return allowed;
  switch (actor) {
    case "user":
    case "bot-named-user":
      return writers.includes(permission)
        ? allowed
        : denied(`write permission is required, and this account has ${permission}`);
    case "listed-bot":
      if (!botTriggers.includes(trigger)) return denied("bots may not do this");
      return writers.includes(permission)
        ? allowed
        : denied(`write permission is required, and the bot has ${permission}`);
    case "unreachable":
      return denied("GitHub did not answer which permission the account has");
    default:
      return denied(reasons[actor]);
  }
}

const allowed: Verdict = { kind: "allowed" };
const denied = (because: string): Verdict => ({ kind: "denied", because });

const reasons = {
  self: "the App itself caused the event",
  "actions-bot": "workflows do not start work",
  "other-bot": "the bot is not listed",
  "suffixless-app": "the App is not listed",
  organization: "an organization cannot ask for work",
  mannequin: "the account is only a placeholder",
  ghost: "the account no longer exists",
  unknown: "the account has no access to the repository",
} as const;

/** Whether a repository (`owner/name`) is on its owner's list of names and patterns; without a list every one is. Pure. */
export function isOnList(patterns: readonly string[] | undefined, repository: string): boolean {
  if (!patterns) return true;
  const name = repository.slice(repository.indexOf("/") + 1).toLowerCase();
  const hasOnlyExclusions =
    patterns.length > 0 && patterns.every((pattern) => pattern.startsWith("!"));
  const all = hasOnlyExclusions ? ["*", ...patterns] : patterns;
  return pathMatcher(all.map((each) => each.toLowerCase()))(name);
}
