import { isUnsure, sendAgain } from "../api/create-once.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import type { PublishDeps } from "../publication/publish-deps.ts";
import { Pull } from "./pull.ts";

const mutation = `mutation($id: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $id }) { pullRequest { isDraft } }
}`;

/** Takes a pull request out of draft; only GraphQL can. One that is no draft, or no longer open, stays as it is. */
export async function markReady(
  { github, clock }: Pick<PublishDeps, "github" | "clock">,
  pull: Pull,
): Promise<Pull> {
  if (!pull.draft || pull.state !== "open") return pull;
  const { number, node_id: id } = pull;
  const purpose = {
    act: `mark pull request #${number} as ready for review`,
    permission: "pull-requests: write",
    reason: "pr",
  } as const;
  return sendAgain(clock, async () => {
    try {
      await github.query({ query: mutation, variables: { id }, purpose });
      return { ...pull, draft: false };
    } catch (error) {
      if (httpStatusOf(error) !== undefined && !isUnsure(error)) throw error;
      // It may have worked, or somebody else was faster: then GitHub refuses, and all is well.
      const { data } = await github.ask({
        route: "GET /repos/{owner}/{repo}/pulls/{pull_number}",
        parameters: { pull_number: number },
        purpose: { ...purpose, permission: "pull-requests: read" },
      });
      const now = Pull.parse(data);
      if (!now.draft || now.state !== "open") return now;
      throw error;
    }
  });
}
