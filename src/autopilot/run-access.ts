import * as z from "zod";
import { RalphError } from "../error.ts";
import { readUserConfig } from "../git/open-repository.ts";
import { createGitHub, type GitHub } from "../github/create-github.ts";
import type { System } from "../system/system.ts";
import type { Issue } from "./issue-report.ts";

type Outside = Pick<System, "ask" | "env" | "files" | "clock">;

/** GitHub's API with the token of the environment; undefined without a token or a repository on GitHub. */
export async function openAccess(
  system: Outside,
  { root, remote }: { root: string; remote: string },
): Promise<GitHub | undefined> {
  const { GITHUB_TOKEN, GH_TOKEN, GITHUB_REPOSITORY, GITHUB_API_URL } = system.env;
  const token = GITHUB_TOKEN?.trim() || GH_TOKEN?.trim();
  if (!token) return undefined;
  const url = (await readUserConfig(system, root)).get(`remote.${remote}.url`) ?? "";
  const [, host = "", name = ""] = remoteForm.exec(url) ?? [];
  const repository = GITHUB_REPOSITORY?.trim() || name;
  if (repository === "") return undefined;
  const usual =
    host === "" || host === "github.com" ? "https://api.github.com" : `https://${host}/api/v3`;
  return createGitHub({ apiUrl: GITHUB_API_URL?.trim() || usual, token, repository });
}

/** `https://github.com/owner/name.git`, `git@github.com:owner/name`. */
const remoteForm =
  /^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[/:]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/** The same where nothing goes on without it (exit 1). */
export function requireAccess(github: GitHub | undefined): GitHub {
  if (github) return github;
  throw new RalphError("config", {
    message: "Reading an issue needs GitHub: there is no token, or no repository on GitHub.",
    remedy:
      "Set GITHUB_TOKEN (`export GITHUB_TOKEN=$(gh auth token)`), and GITHUB_REPOSITORY to `owner/name` where the remote does not say it.",
  });
}

const Answer = z.object({
  number: z.int(),
  title: z.string(),
  body: z.string().nullish(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullish(),
  pull_request: z.unknown().optional(),
});

/** Reads an issue. Nothing in it is trusted; a pull request is none (exit 10). */
export async function readIssue(github: GitHub, number: number): Promise<Issue> {
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
