import * as z from "zod";
import { RalphError } from "../../error.ts";
import { plainLine } from "../../text/plain-text.ts";
import type { GitHub } from "../api/create-github.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";

/** `writer`: GitHub starts a workflow by it only for those who may write. `ask`: anybody can cause it. */
export type StartRule = "writer" | "ask" | "refuse";

const rules: Readonly<Record<string, StartRule>> = {
  workflow_dispatch: "writer",
  repository_dispatch: "writer",
  schedule: "writer",
  push: "writer",
  issues: "ask",
  issue_comment: "ask",
  // Whoever has a fork can cause these, with content of their own (T28).
  pull_request: "refuse",
  pull_request_target: "refuse",
  workflow_run: "refuse",
};

/** What an event says about who has started a run; one that is not known is refused. */
export function startRuleOf(event: string): StartRule {
  return Object.hasOwn(rules, event) ? (rules[event] ?? "refuse") : "refuse";
}

/** Whether an event is somebody's command for this one piece of work, not a sign that something is there. */
export const isCommand = (event: string): boolean =>
  event === "workflow_dispatch" || event === "issue_comment";

/** GITHUB_EVENT_NAME, GITHUB_ACTOR and GITHUB_TRIGGERING_ACTOR: who did it, and who ran it again. */
export interface StartedBy {
  event: string;
  actor: string;
  triggeringActor: string;
}

const Answer = z.object({
  permission: z.string(),
  role_name: z.string().optional(),
  user: z.object({ type: z.string() }).nullish(),
});

/** Who may write has one of these; other roles are shown as what they are based on. */
const writing: readonly string[] = ["admin", "maintain", "write"];

/**
 * Only people with the right to write may start agents (T27). Where an event does not say so by itself, GitHub is asked
 * about everybody who had a part in it; without a clear answer nothing starts (exit 1).
 */
export async function requireWriter(github: GitHub, by: StartedBy): Promise<void> {
  const { event, actor, triggeringActor } = by;
  const rule = startRuleOf(event);
  if (rule === "writer") return;
  if (rule === "refuse") {
    throw new RalphError("config", {
      message: `The event ${JSON.stringify(plainLine(event))} starts nothing: whoever caused it may have no right to write here.`,
      remedy: `Start the workflow by one of: ${Object.keys(rules)
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
    message: `${plainLine(login) || "Whoever started this"} may not start agents in ${github.repository}: it takes the right to write, and GitHub says: ${plainLine(role)}.`,
    remedy: "Have somebody with write access do it, or start the workflow from the Actions tab.",
  });
}

/** What somebody is instead of a person who may write here; undefined: they may. */
export async function writerRefusal(github: GitHub, login: string): Promise<string | undefined> {
  if (login === "") return "nobody";
  return isBotName(login) ? "an App" : readRole(github, login);
}

/** No person can have such a name. What an App does starts nothing: it may be our own. */
const isBotName = (login: string) => login.endsWith("]");

/** What somebody is instead of a writer; undefined: they may write. */
async function readRole(github: GitHub, login: string): Promise<string | undefined> {
  try {
    const { data } = await github.ask({
      route: "GET /repos/{owner}/{repo}/collaborators/{username}/permission",
      parameters: { username: login },
      purpose: { act: `say what ${login} may do`, permission: "contents: read", reason: "config" },
    });
    const answer = Answer.safeParse(data);
    if (!answer.success) return "nothing that can be read";
    const { permission, role_name: role = permission, user } = answer.data;
    if (user?.type === "Bot") return "an App";
    return writing.includes(permission) ? undefined : role;
  } catch (error) {
    if (httpStatusOf(error) === 404) return "no collaborator";
    throw error;
  }
}
