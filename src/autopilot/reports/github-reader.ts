import { RalphError } from "../../error.ts";
import { readUserConfig } from "../../git/open/open-repository.ts";
import { createGitHub, type GitHub } from "../../github/api/create-github.ts";
import { requireLocalToken } from "../../github/api/local-token.ts";
import { parseRemoteUrl } from "../../github/api/remote-url.ts";
import { readViewer, type Viewer } from "../../github/api/viewer.ts";
import { listOwnPulls, type OwnPull } from "../../github/pulls/pull.ts";
import type { System } from "../../platform/system.ts";
import type { Issue } from "./report.ts";

/** Reads GitHub for a run: through its API, or from the answers of an earlier step. Both are plain JSON. */
export interface GitHubReader {
  pulls: () => Promise<readonly OwnPull[]>;
  /** An issue, which is untrusted. */
  issue: (number: number) => Promise<Issue>;
}

/** Reads from GitHub's API. `publisher`: the author of the pull requests, where that is not the token's owner. */
export function createGitHubReader(github: GitHub, publisher?: Viewer): GitHubReader {
  return {
    pulls: async () => listOwnPulls(github, publisher ?? (await readViewer(github))),
    issue: (number) => readIssue(github, number),
  };
}

/** Pull requests are refused (exit 10). */
async function readIssue(github: GitHub, number: number): Promise<Issue> {
  const { data } = await github.ask(
    { act: `read issue ${number}`, permission: "issues: read", reason: "no_report" },
    ({ rest }) => rest.issues.get({ ...github.repo, issue_number: number }),
  );
  const { title, body, html_url: url, user, pull_request } = data;
  if (pull_request === undefined) {
    return { number, title, author: user?.login ?? "ghost", url, body: body ?? "" };
  }
  throw new RalphError("no_report", {
    message: `${number} is a pull request, not an issue.`,
    remedy: "Name an issue with `--issue`.",
  });
}

/**
 * Reads from the repository of a remote with the token `ralph publish` uses (exit 1 without one), which is only looked
 * up for the first request. A remote that is not on GitHub has no pull requests.
 */
export function openGitHubReader(
  system: Pick<System, "ask" | "env" | "files" | "clock">,
  { root, remote }: { root: string; remote: string },
): GitHubReader {
  const open = async (): Promise<GitHubReader | undefined> => {
    const config = await readUserConfig(system, root);
    const url = config.get(`remote.${remote}.pushurl`) ?? config.get(`remote.${remote}.url`);
    const hosted = url === undefined ? undefined : parseRemoteUrl(url)?.hosted;
    if (!hosted) return undefined;
    const token = await requireLocalToken(system, { host: hosted.host, directory: root });
    return createGitHubReader(createGitHub({ ...hosted, token }));
  };
  return {
    pulls: async () => (await open())?.pulls() ?? [],
    issue: async (number) => {
      const reader = await open();
      if (reader) return reader.issue(number);
      throw new RalphError("config", {
        message: `Issue ${number} cannot be read: the remote ${remote} is not a repository on GitHub.`,
        remedy: `Set one: \`git remote add ${remote} https://github.com/OWNER/NAME.git\`, or name another remote in \`git.remote\`.`,
      });
    },
  };
}
