import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import type { Place } from "./place.ts";

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
