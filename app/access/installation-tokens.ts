import type { ProbotOctokit } from "probot";
import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import type { Place } from "./place.ts";

const Answer = z.object({ token: z.string(), expires_at: z.iso.datetime() });
const route = "POST /app/installations/{installation_id}/access_tokens";

/** A token lives for an hour; no work starts with less than this left (F51). */
const leastMs = 5 * 60_000;

/** Returns a valid token for an installation. */
export type Tokens = (installation: number) => Promise<string>;

/** Tokens of installations; each is requested once, and again before it expires. */
export function createTokens(octokit: ProbotOctokit, clock: Pick<Clock, "now">): Tokens {
  const known = new Map<number, { token: string; expiresAt: number }>();
  return async (installation) => {
    const held = known.get(installation);
    if (held && held.expiresAt - clock.now() > leastMs) return held.token;
    const { data } = await octokit.request(route, { installation_id: installation });
    const { token, expires_at } = Answer.parse(data);
    known.set(installation, { token, expiresAt: Date.parse(expires_at) });
    return token;
  };
}

/** A new token for a single repository of its installation. */
export async function createNarrowToken(
  octokit: ProbotOctokit,
  { installation, repository }: Place,
): Promise<string> {
  const repositories = [repository.slice(repository.indexOf("/") + 1)];
  const { data } = await octokit.request(route, { installation_id: installation, repositories });
  return Answer.parse(data).token;
}
