import { RalphError } from "../../error.ts";
import type { GitHub, StrictOctokit } from "../api/create-github.ts";
import type { Addressees } from "../publication/publish-request.ts";
import type { Pull } from "./pull.ts";

/** Adds labels, assignees and reviewers to a new pull request. A name that GitHub refuses is logged and not fatal. */
export async function addressPull(
  { github, log }: { github: GitHub; log: (line: string) => void },
  { number }: Pick<Pull, "number">,
  { labels, reviewers, assignees }: Addressees,
): Promise<void> {
  const isTeam = (name: string) => name.includes("/");
  const people = reviewers.filter((name) => !isTeam(name));
  const team_reviewers = reviewers.filter(isTeam).map((name) => name.slice(name.indexOf("/") + 1));
  const issue = { ...github.repo, issue_number: number };
  const pull = { ...github.repo, pull_number: number, reviewers: people, team_reviewers };
  const wanted: readonly [
    string,
    readonly string[],
    (octokit: StrictOctokit) => Promise<unknown>,
  ][] = [
    ["labels", labels, ({ rest }) => rest.issues.addLabels({ ...issue, labels: [...labels] })],
    [
      "assignees",
      assignees,
      ({ rest }) => rest.issues.addAssignees({ ...issue, assignees: [...assignees] }),
    ],
    ["reviewers", reviewers, ({ rest }) => rest.pulls.requestReviewers(pull)],
  ];
  for (const [what, , call] of wanted.filter(([, names]) => names.length > 0)) {
    try {
      const act = `add ${what} to pull request #${number}`;
      await github.ask({ act, permission: "pull-requests: write", reason: "pr" }, call);
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      log(`Pull request #${number} has none of the ${what}: ${error.message}`);
    }
  }
}
