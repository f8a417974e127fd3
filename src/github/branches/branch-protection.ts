import { RalphError } from "../../error.ts";
import type { GitHub } from "../api/create-github.ts";
import { unlessExpected } from "../api/expected-refusals.ts";
import { httpStatusOf, isRateLimited } from "../api/to-ralph-error.ts";
import { isJobToken, type Viewer } from "../api/viewer.ts";
import type { Commits, Obstacle } from "./branch-rules.ts";

/** What GitHub shows of a branch protection rule to those who may not change it: GraphQL's `RefUpdateRule`. */
export type UpdateRule = {
  pattern: string;
  requiredApprovingReviewCount: number | null;
  requiredStatusCheckContexts: readonly (string | null)[] | null;
  requiresSignatures: boolean;
  viewerCanPush: boolean;
};

/** The settings of a branch protection rule that forbid a session's pushes; undefined without one. Pure. */
export function findProtection(
  rule: UpdateRule,
  { branch, commits }: { branch: string; commits: Commits },
): Obstacle | undefined {
  const { pattern, requiresSignatures } = rule;
  const forbidding = settingsAgainstPushes(rule);
  const title = `The branch protection rule ${JSON.stringify(pattern)}`;
  if (forbidding.length > 0) {
    return {
      message: `${title} forbids pushes to ${branch}: ${forbidding.join(", ")}.`,
      remedy: `Exclude ${branch} from its pattern (Settings, Branches), publish with the token of an App that may bypass it, or set another \`branchName\` in the task list.`,
    };
  }
  if (!requiresSignatures || commits === "api") return undefined;
  return {
    message: `${title} wants signed commits on ${branch}, and those of git are not signed.`,
    remedy: `Set \`commits: api\` in .ralph/ralph.yml, with which GitHub creates and signs them, or exclude ${branch} from its pattern.`,
  };
}

/** By their names in GitHub's settings. */
function settingsAgainstPushes(rule: UpdateRule): string[] {
  const isReviewed = (rule.requiredApprovingReviewCount ?? 0) > 0;
  const isChecked = (rule.requiredStatusCheckContexts ?? []).length > 0;
  const known = [
    ...(isReviewed ? ["Require a pull request before merging"] : []),
    ...(isChecked ? ["Require status checks to pass"] : []),
  ];
  return known.length > 0 || rule.viewerCanPush ? known : ["Restrict who can push, or Lock branch"];
}

/**
 * Rejects an existing branch that the job's own token could not push to at the end, by a branch protection rule (exit 14);
 * rulesets are not among these. Where GitHub does not show the rule, nothing is known.
 */
export async function requireNoProtection(
  github: GitHub,
  given: { branch: string; commits: Commits },
): Promise<void> {
  const answer = await unlessExpected(isHidden, readRule(github, given.branch));
  const rule = answer?.repository?.ref?.refUpdateRule;
  const obstacle = rule && findProtection(rule, given);
  if (obstacle && isJobToken(answer.viewer)) throw new RalphError("git", obstacle);
}

const ruleQuery = `query($owner: String!, $name: String!, $ref: String!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    ref(qualifiedName: $ref) {
      refUpdateRule {
        pattern
        requiredApprovingReviewCount
        requiredStatusCheckContexts
        requiresSignatures
        viewerCanPush
      }
    }
  }
}`;

type RuleAnswer = {
  viewer: Viewer;
  repository: { ref: { refUpdateRule: UpdateRule | null } | null } | null;
};

function readRule(github: GitHub, branch: string): Promise<RuleAnswer> {
  const { owner, repo: name } = github.repo;
  return github.ask(
    { act: "read the branch protection", permission: "metadata: read", reason: "git" },
    ({ graphql }) => graphql<RuleAnswer>(ruleQuery, { owner, name, ref: `refs/heads/${branch}` }),
  );
}

/** Not every token may read the rule, and not every product has it. */
function isHidden(error: unknown): boolean {
  if (!(error instanceof RalphError) || isRateLimited(error)) return false;
  const isQueryError = error.cause instanceof Error && error.cause.name === "GraphqlResponseError";
  return isQueryError || [403, 404].includes(httpStatusOf(error) ?? 0);
}
