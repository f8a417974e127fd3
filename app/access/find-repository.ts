import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { unlessExpected } from "../../src/github/api/expected-refusals.ts";
import { httpStatusOf } from "../../src/github/api/to-ralph-error.ts";
import { isOutOfReach } from "./is-out-of-reach.ts";
import { type Place, RepositoryName } from "./place.ts";
import type { Tokens } from "./tokens.ts";

/** A client with a token, under a repository's address. */
export type CreateClient = (token: string, place: Omit<Place, "id">) => GitHub;

/** Finds a repository by its id through its installation; undefined if that does not reach it. */
export async function locateById(
  tokens: Tokens,
  client: CreateClient,
  place: Place,
): Promise<ListedRepository | undefined> {
  const ask = async () => findRepository(client(await tokens.read(place), place), place.id);
  const find = () => unlessExpected(isOutOfReach, ask());
  try {
    return await find();
  } catch (error) {
    if (httpStatusOf(error) !== 401) throw error;
    tokens.forget(place);
    return find();
  }
}

/** A repository as GitHub lists it for an installation. */
const Listed = z.object({
  id: z.int(),
  full_name: RepositoryName,
  default_branch: z.string().min(1),
  created_at: z.string().nullish(),
  archived: z.boolean().default(false),
  disabled: z.boolean().default(false),
  fork: z.boolean().default(false),
});
export type ListedRepository = z.output<typeof Listed>;

const Page = z.object({ repositories: z.array(z.unknown()) });

/** A token for one repository lists only that one; this is for servers that list more. */
const maxPages = 20;
const perPage = 100;

/**
 * The repository with an id, under the name it has now; undefined if the installation does not reach it.
 * `github` must have a token of the installation.
 */
export async function findRepository(
  github: GitHub,
  id: number,
): Promise<ListedRepository | undefined> {
  for (let page = 1; page <= maxPages; page += 1) {
    const { data } = await github.ask(
      { act: "find the repository", permission: "metadata: read", reason: "claim" },
      ({ rest }) => rest.apps.listReposAccessibleToInstallation({ per_page: perPage, page }),
    );
    const { repositories } = Page.parse(data);
    const listed = repositories.flatMap((each) => Listed.safeParse(each).data ?? []);
    const found = listed.find((each) => each.id === id);
    if (found || repositories.length < perPage) return found;
  }
  return undefined;
}

const Answer = z.object({
  id: z.int(),
  full_name: z.string(),
  created_at: z.string().nullish(),
});

/** A repository with the time of its creation, milliseconds since 1970. */
export type IdentifiedRepository = Place & { createdAt: number };

/** The repository that has a name now; GitHub redirects the old names of a renamed one. */
export async function identifyRepository(
  github: GitHub,
  installation: number,
): Promise<IdentifiedRepository> {
  const { data } = await github.ask(
    { act: "read the repository", permission: "metadata: read", reason: "claim" },
    ({ rest }) => rest.repos.get(github.repo),
  );
  const { id, full_name: repository, created_at: at } = Answer.parse(data);
  return { installation, id, repository, createdAt: at ? Date.parse(at) : 0 };
}
