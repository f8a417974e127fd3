import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";
import type { Actor } from "../../src/schema/work-request.ts";
import type { Place } from "../access/place.ts";
import {
  type ActorKind,
  mayTrigger,
  type Permission,
  type Trigger,
  type Verdict,
} from "../rules/authority.ts";
import type { RunParts } from "./run-parts.ts";

/** Whether an account may trigger something in a repository, by its permission now (T29). */
export async function judgeActor(
  { access, bots }: Pick<RunParts, "access" | "bots">,
  place: Place,
  { actor, trigger }: { actor?: Actor | undefined; trigger: Trigger },
): Promise<Verdict> {
  const { id: selfId } = await access.self(place);
  return mayTrigger(
    trigger,
    await identifyActor(await access.github(place), actor, { selfId, bots }),
  );
}

/** The account `github-actions[bot]`. */
const actionsId = 41_898_282;

export interface KnownActors {
  selfId: number;
  /** Ids of the allowed bots. */
  bots: readonly number[];
}

/** The kind of an account, by id and type, and its permission by the API; never by its name (T27, T29). */
export async function identifyActor(
  github: GitHub,
  account: Actor | undefined,
  known: KnownActors,
): Promise<{ actor: ActorKind; permission: Permission }> {
  if (!account) return { actor: "ghost", permission: "read" };
  const actor = kindOf(account, known);
  if (actor !== "user" && actor !== "bot-named-user" && actor !== "listed-bot") {
    return { actor, permission: "read" };
  }
  try {
    const answer = await readAnswer(github, account.login);
    // The login now belongs to another account.
    if (answer.user?.id !== account.id) return { actor: "unknown", permission: "read" };
    return { actor, permission: permissionOf(answer) };
  } catch (error) {
    const status = httpStatusOf(error) ?? 500;
    // Temporary errors decide nothing: the job is retried later.
    if (status >= 500 || isRateLimited(error)) throw error;
    return { actor: status === 404 ? "unknown" : "unreachable", permission: "read" };
  }
}

function kindOf({ id, type, login }: Actor, { selfId, bots }: KnownActors): ActorKind {
  if (id === selfId) return "self";
  if (id === actionsId) return "actions-bot";
  switch (type) {
    case "User":
      return /bot\b/i.test(login) ? "bot-named-user" : "user";
    case "Bot":
      if (bots.includes(id)) return "listed-bot";
      return login.endsWith("[bot]") ? "other-bot" : "suffixless-app";
    case "Organization":
      return "organization";
    case "Mannequin":
      return "mannequin";
    default:
      return "unknown";
  }
}

async function readAnswer(github: GitHub, username: string) {
  const { data } = await github.ask(
    { act: `read the permission of ${username}`, permission: "metadata: read", reason: "config" },
    ({ rest }) => rest.repos.getCollaboratorPermissionLevel({ ...github.repo, username }),
  );
  return data;
}

type Collaborator = Awaited<ReturnType<typeof readAnswer>>;

/** A custom role counts as the role it is based on. */
function permissionOf({ permission, role_name: role }: Collaborator): Permission {
  if (permission === "admin" || permission === "write") {
    return role === "maintain" ? "maintain" : permission;
  }
  return role === "triage" ? "triage" : "read";
}
