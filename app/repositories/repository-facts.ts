import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";

const Facts = z.object({
  default_branch: z.string().min(1),
  archived: z.boolean().default(false),
  disabled: z.boolean().default(false),
  fork: z.boolean().default(false),
});

/** A repository as GitHub reports it. */
export type RepositoryFacts = z.output<typeof Facts>;

/** Reads a repository; `isRepositoryUnreachable` classifies its errors. */
export async function readRepositoryFacts(github: GitHub): Promise<RepositoryFacts> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}",
    purpose: { act: "read the repository", permission: "metadata: read", reason: "claim" },
  });
  return Facts.parse(data);
}

/** Whether an error means that the App has lost access to the repository. */
export function isRepositoryUnreachable(error: unknown): boolean {
  return [403, 404, 410, 451].includes(httpStatusOf(error) ?? 0) && !isRateLimited(error);
}
