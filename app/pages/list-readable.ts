import * as z from "zod";
import type { Clock } from "../../src/platform/system.ts";
import { createCache } from "../access/cache.ts";
import { type Place, RepositoryName } from "../access/place.ts";
import type { LoginSession } from "./login/login-sessions.ts";
import { requestJson } from "./login/oauth.ts";

/** GitHub's API with the token of a person. */
export interface UserApi {
  apiUrl: string;
  token: string;
}

/** Pages of a hundred entries each, per person. */
const maxPages = 50;
const perPage = 100;

const Installations = z.object({
  installations: z.array(z.object({ id: z.int(), suspended_at: z.string().nullish() })),
});
const Repositories = z.object({
  repositories: z.array(
    z.object({
      id: z.int(),
      full_name: RepositoryName,
      permissions: z
        .object({ pull: z.boolean().optional(), push: z.boolean().optional() })
        .default({}),
    }),
  ),
});

type Budget = { pages: number };

/** Lists the installations of the App that a person sees, and the repositories of each. */
export async function listReadable(asking: UserApi): Promise<ReadableResult> {
  const budget: Budget = { pages: maxPages };
  const installed = await readPages(asking, {
    ...{ path: "/user/installations", budget },
    pick: (data) => Installations.safeParse(data).data?.installations,
  });
  if (installed.kind === "gone") return { kind: "unreachable" };
  if (installed.kind !== "read") return installed;
  const repositories = new Map<number, Readable>();
  for (const { id, suspended_at } of installed.items) {
    if (typeof suspended_at === "string") continue;
    const found = await readInstallation(asking, { installation: id, budget });
    if (found.kind !== "read") return found;
    for (const readable of found.items) repositories.set(readable.place.id, readable);
  }
  return { kind: "known", repositories, isCut: budget.pages <= 0 };
}

type Failed = { kind: "signed-out" } | { kind: "unreachable" };
type Read<Item> = { kind: "read"; items: Item[] };

async function readInstallation(
  asking: UserApi,
  { installation, budget }: { installation: number; budget: Budget },
): Promise<Read<Readable> | Failed> {
  const found = await readPages(asking, {
    ...{ path: `/user/installations/${installation}/repositories`, budget },
    pick: (data) => Repositories.safeParse(data).data?.repositories,
  });
  // The installation was just removed.
  if (found.kind === "gone") return { kind: "read", items: [] };
  if (found.kind !== "read") return found;
  const items = found.items
    .filter(({ permissions }) => permissions.pull !== false)
    .map(({ id, full_name: repository, permissions }) => {
      return { place: { installation, id, repository }, mayWrite: permissions.push === true };
    });
  return { kind: "read", items };
}

type Wanted<Item> = {
  path: string;
  budget: Budget;
  pick: (data: unknown) => Item[] | undefined;
};

async function readPages<Item>(
  { apiUrl, token }: UserApi,
  { path, budget, pick }: Wanted<Item>,
): Promise<Read<Item> | Failed | { kind: "gone" }> {
  const items: Item[] = [];
  for (let page = 1; budget.pages > 0; page += 1) {
    budget.pages -= 1;
    const url = `${apiUrl}${path}?per_page=${perPage}&page=${page}`;
    const answer = await requestJson({ url, token });
    if (answer.kind === "refused") return refusal(answer.status);
    const found = answer.kind === "answered" ? pick(answer.data) : undefined;
    if (!found) return { kind: "unreachable" };
    items.push(...found);
    if (found.length < perPage) break;
  }
  return { kind: "read", items };
}

function refusal(status: number): Failed | { kind: "gone" } {
  if (status === 401) return { kind: "signed-out" };
  return status === 404 ? { kind: "gone" } : { kind: "unreachable" };
}

/** A repository that a person can read, with the installation that gives access to it. */
export interface Readable {
  place: Place;
  /** As of the last minute; before an action the permission is checked again. */
  mayWrite: boolean;
}

/** `signed-out`: GitHub no longer accepts the person's token. */
export type ReadableResult =
  | { kind: "known"; repositories: ReadonlyMap<number, Readable>; isCut: boolean }
  | { kind: "signed-out" }
  | { kind: "unreachable" };

interface ReadableParts {
  apiUrl: string;
  clock: Pick<Clock, "now">;
}

/** A revoked permission may count this much longer. */
const keptMs = 60_000;
const maxPeople = 200;

/** The repositories a person can read, by their own token; cached for a minute. */
export function createReadableCache({ apiUrl, clock }: ReadableParts) {
  const known = createCache<string, ReadableResult>({
    ...{ clock, keptMs, most: maxPeople, isKept: ({ kind }) => kind === "known" },
  });
  return ({ key, token }: LoginSession): Promise<ReadableResult> =>
    known(key, () => listReadable({ apiUrl, token }));
}

export type FindReadable = ReturnType<typeof createReadableCache>;
