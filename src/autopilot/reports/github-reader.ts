import * as z from "zod";
import { RalphError } from "../../error.ts";
import type { GitHub } from "../../github/api/create-github.ts";
import { readViewer, type Viewer } from "../../github/api/viewer.ts";
import { listOwnPulls, type OwnPull } from "../../github/pulls/find-marked.ts";
import type { Issue } from "./issue-report.ts";

/**
 * What a run reads from GitHub; whoever starts the run says how: from the API, or from what was read before it. Both
 * answers are plain JSON.
 */
export interface GitHubReader {
  /** Every pull request of ours, newest first; none where there can be none. */
  pulls: () => Promise<readonly OwnPull[]>;
  /** An issue; nothing in it is trusted. */
  issue: (number: number) => Promise<Issue>;
}

/** Reads from GitHub's API. `publisher`: who opens the pull requests, where that is not whose token it is. */
export function createGitHubReader(github: GitHub, publisher?: Viewer): GitHubReader {
  return {
    pulls: async () => listOwnPulls(github, publisher ?? (await readViewer(github))),
    issue: (number) => readIssue(github, number),
  };
}

const Answer = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
});

/** A pull request is none (exit 10). */
async function readIssue(github: GitHub, number: number): Promise<Issue> {
  const { data } = await github.ask({
    route: "GET /repos/{owner}/{repo}/issues/{issue_number}",
    parameters: { issue_number: number },
    purpose: { act: `read issue ${number}`, permission: "issues: read", reason: "no_report" },
  });
  const { title, body, html_url: url, user, pull_request } = Answer.parse(data);
  if (pull_request === undefined) {
    return { number, title, author: user?.login ?? "ghost", url, body: body ?? "" };
  }
  throw new RalphError("no_report", {
    message: `${number} is a pull request, not an issue.`,
    remedy: "Name an issue with `--issue`.",
  });
}
