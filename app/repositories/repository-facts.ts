import type { GitHub } from "../../src/github/api/create-github.ts";
import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";

/** Reads a repository; `isRepositoryUnreachable` classifies its errors. */
export async function readRepositoryFacts(github: GitHub) {
  const { data } = await github.ask(
    { act: "read the repository", permission: "metadata: read", reason: "claim" },
    ({ rest }) => rest.repos.get(github.repo),
  );
  return data;
}

/** Whether an error means that the App has lost access to the repository. */
export function isRepositoryUnreachable(error: unknown): boolean {
  return [403, 404, 410, 451].includes(httpStatusOf(error) ?? 0) && !isRateLimited(error);
}
