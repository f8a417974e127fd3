import { httpStatusOf, isRateLimited } from "../../src/github/api/to-ralph-error.ts";

const statuses = [403, 404, 410, 422, 451];

/** Whether an answer to a request for a token or for the list of repositories means that a repository cannot be reached. */
export function isOutOfReach(error: unknown): boolean {
  return statuses.includes(httpStatusOf(error) ?? 0) && !isRateLimited(error);
}
