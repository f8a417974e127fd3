import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";

/** A repository as GitHub lists it for an installation. */
const Listed = z.object({
  id: z.int(),
  full_name: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/),
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
 * The repository with an id, as GitHub knows it now, whatever it is called; undefined if the installation does not reach
 * it. `github` must have a token of the installation.
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
