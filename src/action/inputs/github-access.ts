import { RalphError } from "../../error.ts";
import { createGitHub, type GitHub } from "../../github/api/create-github.ts";
import type { StartedBy } from "../../github/claims/require-writer.ts";
import type { PublishingJob } from "../../github/publication/publish-request.ts";
import type { StepContext } from "../step.ts";

/** The token that action.yml passes to this step only (exit 1 without one). */
export function requireToken({ handed }: StepContext): string {
  const token = handed.trim();
  if (token !== "") return token;
  throw new RalphError("config", {
    message: "This step has no token: the input github-token is empty.",
    remedy: "Leave github-token out, so that the job's own token is used.",
  });
}

/** GitHub's API for the repository of this workflow, on github.com or a GitHub Enterprise server. */
export function openGitHub(context: StepContext): GitHub {
  const { GITHUB_API_URL, GITHUB_REPOSITORY = "" } = context.system.env;
  const apiUrl = GITHUB_API_URL || "https://api.github.com";
  return createGitHub({ apiUrl, token: requireToken(context), repository: GITHUB_REPOSITORY });
}

/** The remote git pushes to. */
export function remoteOf(context: StepContext): { url: string; token: string } {
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY = "" } = context.system.env;
  const url = `${GITHUB_SERVER_URL || "https://github.com"}/${GITHUB_REPOSITORY}.git`;
  return { url, token: requireToken(context) };
}

/** The people behind the event that started this job. */
export const startedBy = ({ env }: StepContext["system"]): StartedBy => ({
  event: env.GITHUB_EVENT_NAME ?? "",
  actor: env.GITHUB_ACTOR ?? "",
  triggeringActor: env.GITHUB_TRIGGERING_ACTOR ?? "",
});

/** The workflow run of this step, for links in the pull request. */
export function publishingJob({ system: { env } }: StepContext): PublishingJob {
  const { GITHUB_RUN_ID: runId = "", GITHUB_WORKFLOW_REF = "", GITHUB_REPOSITORY = "" } = env;
  const server = env.GITHUB_SERVER_URL || "https://github.com";
  const [, workflow] = /\/\.github\/workflows\/([^/@]+)@/.exec(GITHUB_WORKFLOW_REF) ?? [];
  return { runId, workflow, url: `${server}/${GITHUB_REPOSITORY}/actions/runs/${runId}` };
}
