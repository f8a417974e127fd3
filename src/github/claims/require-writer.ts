import { RalphError } from "../../error.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";
import { unlessStatus } from "../api/expected-refusals.ts";

/** `writer`: only people with write access can trigger it. `ask`: anyone can, so GitHub is asked. */
export type StartRule = "writer" | "ask" | "refuse";

const rules: Readonly<Record<string, StartRule>> = {
  workflow_dispatch: "writer",
  repository_dispatch: "writer",
  schedule: "writer",
  push: "writer",
  issues: "ask",
  issue_comment: "ask",
  // Anyone with a fork can trigger these, with content of their own (T28).
  pull_request: "refuse",
  pull_request_target: "refuse",
  workflow_run: "refuse",
};

/** The rule for an event; unknown events are refused. */
export function startRuleOf(event: string): StartRule {
  return Object.hasOwn(rules, event) ? (rules[event] ?? "refuse") : "refuse";
}

/** Whether an event is a person's command for this one piece of work. */
export const isCommand = (event: string): boolean =>
  event === "workflow_dispatch" || event === "issue_comment";

/** GITHUB_EVENT_NAME, GITHUB_ACTOR and GITHUB_TRIGGERING_ACTOR: the person behind the event, and the one who re-ran it. */
export interface StartedBy {
  event: string;
  actor: string;
  triggeringActor: string;
}

/** Permissions that include writing; custom roles report the one they are based on. */
const writing: readonly string[] = ["admin", "maintain", "write"];

/**
 * Only people with write access may start agents (T27). Where the event does not imply it, GitHub is asked about
 * everyone involved; without a clear answer nothing starts (exit 1).
 */
export async function requireWriter(github: GitHub, by: StartedBy): Promise<void> {
  const { event, actor, triggeringActor } = by;
  const rule = startRuleOf(event);
  if (rule === "writer") return;
  if (rule === "refuse") {
    throw new RalphError("config", {
      message: `The event ${JSON.stringify(plainLine(event))} starts nothing: people without write access can trigger it.`,
      remedy: `Trigger the workflow by one of: ${Object.keys(rules)
        .filter((each) => rules[each] !== "refuse")
        .join(", ")}.`,
    });
  }
  for (const login of new Set([actor, triggeringActor])) await requireWriting(github, login);
}

async function requireWriting(github: GitHub, login: string): Promise<void> {
  const role = await writerRefusal(github, login);
  if (role === undefined) return;
  throw new RalphError("config", {
    message: `${plainLine(login) || "An unnamed account"} may not start agents in ${github.repository}: write access is required, and GitHub reports: ${plainLine(role)}.`,
    remedy: "Ask someone with write access to do it, or start the workflow from the Actions tab.",
  });
}

/** Why an account is refused: its role, or that it is an App; undefined when it is a person with write access. */
export async function writerRefusal(github: GitHub, login: string): Promise<string | undefined> {
  if (login === "") return "no account";
  // Only Apps have such names. An App starts nothing: it may be ralph's own.
  return login.endsWith("]") ? "an App" : readRole(github, login);
}

async function readRole(github: GitHub, login: string): Promise<string | undefined> {
  const asked = github.ask(
    { act: `read the permission of ${login}`, permission: "contents: read", reason: "config" },
    ({ rest }) => rest.repos.getCollaboratorPermissionLevel({ ...github.repo, username: login }),
  );
  const answer = await unlessStatus([404], asked);
  if (!answer) return "not a collaborator";
  const { permission, role_name: role = permission, user } = answer.data;
  if (user?.type === "Bot") return "an App";
  if (typeof permission !== "string") return "an unreadable answer";
  return writing.includes(permission) ? undefined : role;
}
