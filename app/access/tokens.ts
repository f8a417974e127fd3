import type { ProbotOctokit } from "probot";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "./place.ts";

/** The purpose of a token, which carries no other rights. */
export type TokenUse = "work" | "publish";

/** The rights of each use, all of which `app.yml` asks for. */
const rights = {
  work: {
    ...{ actions: "write", contents: "write", issues: "write" },
    ...{ metadata: "read", pull_requests: "write" },
  },
  publish: {
    ...{ actions: "read", checks: "write", contents: "write", issues: "write" },
    ...{ metadata: "read", pull_requests: "write" },
  },
} as const satisfies Record<TokenUse, Record<string, "read" | "write">>;

const route = "POST /app/installations/{installation_id}/access_tokens";

/** A token lives for an hour; no work starts with less than this left (F51). */
const leastMs = 5 * 60_000;

/** Tokens of installations, each for one repository (by its id) and one use. */
export interface Tokens {
  /** Valid for at least five more minutes. */
  read: (place: Pick<Place, "installation" | "id">) => Promise<string>;
  /** A new token, for long work on untrusted data. */
  create: (place: Pick<Place, "installation" | "id">, use: TokenUse) => Promise<string>;
  /** A token for all repositories of an installation, to look up an id by a name. */
  readWide: (installation: number) => Promise<string>;
  /** Forgets the token of a repository, which GitHub no longer accepts. */
  forget: (place: Pick<Place, "installation" | "id">) => void;
}

type Known = { token: string; expiresAt: number };
type Parameters = { repository_ids?: number[]; permissions?: (typeof rights)[TokenUse] };

/** Each token is requested once, and again before it expires. */
export function createTokens(octokit: ProbotOctokit, clock: Pick<Clock, "now">): Tokens {
  const known = new Map<string, Known>();
  const request = async (installation: number, more: Parameters): Promise<Known> => {
    const { data } = await octokit.request(route, { installation_id: installation, ...more });
    return { token: data.token, expiresAt: Date.parse(data.expires_at) };
  };
  const create = async (installation: number, id: number, use: TokenUse): Promise<Known> => {
    const scope = { repository_ids: [id] };
    try {
      return await request(installation, { ...scope, permissions: rights[use] });
    } catch (error) {
      // The owner has not accepted one of the permissions, or the repository is out of reach: then this fails as well.
      if (httpStatusOf(error) !== 422) throw error;
      return request(installation, scope);
    }
  };
  const cached = async (key: string, make: () => Promise<Known>): Promise<string> => {
    const held = known.get(key);
    if (held && held.expiresAt - clock.now() > leastMs) return held.token;
    const made = await make();
    known.set(key, made);
    return made.token;
  };
  const keyOf = ({ installation, id }: Pick<Place, "installation" | "id">) =>
    `${installation}/${id}`;
  return {
    read: (place) => cached(keyOf(place), () => create(place.installation, place.id, "work")),
    create: async (place, use) => (await create(place.installation, place.id, use)).token,
    readWide: (installation) => cached(String(installation), () => request(installation, {})),
    forget: (place) => void known.delete(keyOf(place)),
  };
}
