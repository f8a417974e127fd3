import { RalphError } from "../../error.ts";
import type { GitHub, StrictOctokit } from "../api/create-github.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import type { Pull } from "./pull.ts";

type Calls = Record<string, [readonly string[], (octokit: StrictOctokit) => Promise<unknown>]>;

/** Adds labels, assignees and reviewers to a new pull request. A name that GitHub refuses is logged and not fatal. */
export async function addressPull(
  github: GitHub,
  { number }: Pull,
  { addressees, log }: Pick<PublishRequest, "addressees" | "log">,
): Promise<void> {
  const { labels = [], assignees = [], reviewers: all = [] } = addressees ?? {};
  const issue = { ...github.repo, issue_number: number };
  const { teams = [], people = [] } = Object.groupBy(all, (name) =>
    name.includes("/") ? "teams" : "people",
  );
  const team_reviewers = teams.map((name) => name.slice(name.indexOf("/") + 1));
  const pull = { ...github.repo, pull_number: number, reviewers: people, team_reviewers };
  const calls: Calls = {
    labels: [labels, ({ rest }) => rest.issues.addLabels({ ...issue, labels: [...labels] })],
    assignees: [
      assignees,
      ({ rest }) => rest.issues.addAssignees({ ...issue, assignees: [...assignees] }),
    ],
    reviewers: [all, ({ rest }) => rest.pulls.requestReviewers(pull)],
  };
  for (const [what, [names, call]] of Object.entries(calls)) {
    if (names.length === 0) continue;
    try {
      const act = `add ${what} to pull request #${number}`;
      await github.ask({ act, permission: "pull-requests: write", reason: "pr" }, call);
    } catch (error) {
      if (!(error instanceof RalphError)) throw error;
      log(`Pull request #${number} has none of the ${what}: ${error.message}`);
    }
  }
}
