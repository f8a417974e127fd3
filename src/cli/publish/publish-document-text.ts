import type { PlanDraft, PlanPublishRequest } from "../../github/publish/publish-plan.ts";
import { counted } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";

/** What a dry run shows people of a run that has written a document and no more. */
export function renderDocumentOutcome(story: PlanDraft, { remote }: PlanPublishRequest): string {
  const { start, own, head, title, body } = story;
  const { branch, config } = start;
  return [
    `Branch  ${branch}: ${counted(own.length, "commit")}, up to ${head.slice(0, 12)}`,
    `To      ${remote.url}`,
    isOn(story)
      ? `Pull    ${branch} into ${config.git.base_branch}, as a draft: nothing is built yet`
      : "Pull    none: the configuration switches pull requests off",
    `Title   ${plainLine(title, 300)}`,
    "",
    plainText(body).trimEnd(),
  ].join("\n");
}

/** The same for programs. */
export function documentJson(story: PlanDraft, { remote }: PlanPublishRequest) {
  const { start, own, title, body } = story;
  return {
    branch: start.branch,
    base: start.config.git.base_branch,
    remote: remote.url,
    commits: own,
    pull_request: isOn(story),
    draft: "nothing is built yet",
    title,
    body,
  };
}

const isOn = ({ start: { config } }: PlanDraft) => config.autopilot.create_pr && config.pr.enabled;
