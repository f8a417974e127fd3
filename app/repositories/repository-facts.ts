import * as z from "zod";
import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";

const Facts = z.object({
  default_branch: z.string().min(1),
  archived: z.boolean().default(false),
  disabled: z.boolean().default(false),
  fork: z.boolean().default(false),
});

/** What GitHub says of a repository. */
export type RepositoryFacts = z.output<typeof Facts>;

/** Reads a repository; a refusal is passed on, and `isUnreachable` tells what it means. */
export async function readRepositoryFacts(github: GitHub): Promise<RepositoryFacts> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}",
    purpose: { act: "read the repository", permission: "metadata: read", reason: "claim" },
  });
  return Facts.parse(data);
}

/** Whether a refusal means that the App has nothing to do with the repository any more. */
export function isRepositoryUnreachable(error: unknown): boolean {
  return [403, 404, 410, 451].includes(httpStatusOf(error) ?? 0) && !isRateLimited(error);
}
