import type { WorkRequest } from "../../src/schema/work-request.ts";

/** Who is behind an event, as the payload and GitHub's own answer say it; nothing of it is a login's spelling (T27). */
export type ActorKind =
  | "user"
  /** A person whose login looks like a bot's. */
  | "bot-named-user"
  /** This App: whatever it does must not start it again (T32). */
  | "self"
  /** A bot the configuration lists by its id. */
  | "listed-bot"
  | "actions-bot"
  | "other-bot"
  /** An App that acts without the suffix of bots. */
  | "suffixless-app"
  | "organization"
  | "mannequin"
  /** The account is gone, or the payload names nobody. */
  | "ghost"
  /** GitHub does not know the account in this repository (404). */
  | "unknown"
  /** GitHub could not be asked. */
  | "unreachable";

/** What GitHub answers for an account and a repository (T29). */
export type Permission = "admin" | "maintain" | "write" | "triage" | "read";

/** What an event asks for: a start, a change to what runs, or a look. Starts and changes spend money or change files. */
export type Trigger = WorkRequest["trigger"] | "steer-command" | "look-command";

export type Verdict = { kind: "allowed" } | { kind: "denied"; because: string };

const writers: readonly Permission[] = ["admin", "maintain", "write"];
/** What a bot somebody has listed may do: start work, but not steer what people have started. */
const botTriggers: readonly Trigger[] = ["label", "autopilot-label", "report-push"];

/**
 * Whether somebody may start or steer work (G04): people with write permission, and bots listed by id for what bots do.
 * What cannot be found out is a no. A schedule has nobody behind it but the configuration on the default branch.
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
        : denied(`write permission is needed, and theirs is ${permission}`);
    case "listed-bot":
      if (!botTriggers.includes(trigger)) return denied("bots may not do this");
      return writers.includes(permission)
        ? allowed
        : denied(`write permission is needed, and the bot's is ${permission}`);
    case "unreachable":
      return denied("GitHub could not be asked for their permission");
    default:
      return denied(reasons[actor]);
  }
}

const allowed: Verdict = { kind: "allowed" };
const denied = (because: string): Verdict => ({ kind: "denied", because });

const reasons = {
  self: "it was this App itself",
  "actions-bot": "workflows do not start work",
  "other-bot": "it is a bot that is not listed",
  "suffixless-app": "it is an App that is not listed",
  organization: "an organization is nobody",
  mannequin: "the account stands for nobody",
  ghost: "the account is gone",
  unknown: "GitHub does not know the account here",
} as const;
