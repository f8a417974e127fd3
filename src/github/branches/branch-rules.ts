import { RalphError } from "../../error.ts";
import type { GitHub } from "../api/create-github.ts";
import { unlessStatus } from "../api/expected-refusals.ts";
import { httpStatusOf } from "../api/to-ralph-error.ts";
import { isJobToken, readViewer } from "../api/viewer.ts";

/** Rules under which a branch moves by merged pull requests only, by their names in GitHub's settings. */
const pushesForbidden: Readonly<Record<string, string>> = {
  merge_queue: "Require merge queue",
  pull_request: "Require a pull request before merging",
  required_deployments: "Require deployments to succeed",
  required_status_checks: "Require status checks to pass",
  update: "Restrict updates",
};

export type Commits = "git" | "api";
export type Obstacle = { message: string; remedy: string };

/** The rule of a repository that forbids a session's pushes to a branch; undefined without one. Pure. */
export function findObstacle(
  types: readonly string[],
  { branch, commits }: { branch: string; commits: Commits },
): Obstacle | undefined {
  const forbidding = types.flatMap((type) => pushesForbidden[type] ?? []);
  if (forbidding.length > 0) {
    return {
      message: `A ruleset forbids pushes to ${branch}: ${forbidding.join(", ")}.`,
      remedy: elsewhere(branch),
    };
  }
  if (!types.includes("required_signatures") || commits === "api") return undefined;
  return {
    message: `A ruleset wants signed commits on ${branch}, and those of git are not signed.`,
    remedy: `Set \`commits: api\` in .ralph/ralph.yml, with which GitHub creates and signs them, or exclude ${branch} from the ruleset.`,
  };
}

const elsewhere = (branch: string) =>
  `Exclude ${branch} from the ruleset (Settings, Rules, Rulesets), publish with the token of an App that may bypass it, or set another \`branchName\` in the task list.`;

/**
 * Rejects a branch that the job's own token could not push to at the end (exit 14). Other tokens may have a bypass, which
 * GitHub does not say; nor does it list rules to every plan and product (403, 404).
 */
export async function requireNoObstacle(
  github: GitHub,
  given: { branch: string; commits: Commits },
): Promise<void> {
  const obstacle = findObstacle(await readRules(github, given.branch), given);
  if (obstacle && isJobToken(await readViewer(github))) throw new RalphError("git", obstacle);
}

async function readRules(github: GitHub, branch: string): Promise<string[]> {
  const purpose = { act: "read the rules", permission: "metadata: read", reason: "git" } as const;
  const wanted = { ...github.repo, branch, per_page: 100 };
  const asked = github.ask(purpose, ({ rest }) => rest.repos.getBranchRules(wanted));
  const answer = await unlessStatus([403, 404], asked);
  return answer?.data.map(({ type }) => type) ?? [];
}

/**
 * Creates a branch at the commit a session starts from, before anything is spent. A token that may not write shows here
 * (exit 14) and not after hours; and GitHub compares the workflow files of later pushes with this commit, whatever
 * happens to the base branch meanwhile. An existing branch is left alone.
 */
export async function reserveBranch(
  github: GitHub,
  { branch, commit: sha }: { branch: string; commit: string },
): Promise<void> {
  const act = `create the branch ${branch}`;
  const ref = { ...github.repo, ref: `refs/heads/${branch}`, sha };
  try {
    await github.ask({ act, permission: "contents: write", reason: "git" }, ({ rest }) =>
      rest.git.createRef(ref),
    );
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    // It exists already, or the commit was made in this job.
    const isHarmless = /already exists|object does not exist/i.test(error.message);
    if (httpStatusOf(error) !== 422 || !isHarmless) throw withBranchRule(error, branch);
  }
}

/** The error for a branch GitHub refused to create, with the setting that forbids it. */
export function withBranchRule(error: RalphError, branch: string): RalphError {
  const { message, cause } = error;
  const isRule = /rule violations|creations being restricted|protected branch/i.test(message);
  if (!isRule) return error;
  return new RalphError("git", { message, remedy: elsewhere(branch), cause });
}
