import type { SessionState } from "../../core/state/session-state.ts";
import type { PlanDraft, SessionDraft } from "../../github/publication/prepare-publication.ts";
import type {
  PlanPublishRequest,
  PublishRequest,
} from "../../github/publication/publish-request.ts";
import { draftReason } from "../../github/publish/finish-pull.ts";

import type { PublicationResult } from "../../github/publish/publish-pull.ts";
import { counted } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { renderPullBody } from "../../views/pull-request/pull-body.ts";

/** What a dry run shows people. */
export function renderPreview(story: SessionDraft, wish: PublishRequest): string {
  if (story.own.length === 0) return "No task has passed, so there is nothing to push.";
  if (story.lowValueReason) return `Nothing would be published: ${story.lowValueReason}.`;
  const { start, own, title, state, flagged } = story;
  const { branch, config } = start;
  const why = draftReason(story, wish);
  const into = `${branch} into ${config.git.base_branch}`;
  return [
    `Branch  ${branch}: ${counted(own.length, "commit")}, up to ${state.head.slice(0, 12)}`,
    `To      ${wish.remote.url}`,
    ...flagged.map(({ path, message }) => `Look at ${plainLine(path)}: ${plainLine(message)}`),
    noPull(story) ??
      `Pull    ${into}, ${why === undefined ? "ready for review" : `as a draft: ${why}`}`,
    `Title   ${plainLine(title, 300)}`,
    "",
    plainText(renderPullBody(story)).trimEnd(),
  ].join("\n");
}

/** The same for programs. */
export function previewJson(story: SessionDraft, wish: PublishRequest) {
  const { start, own, title } = story;
  return {
    branch: start.branch,
    base: start.config.git.base_branch,
    remote: wish.remote.url,
    commits: own,
    pull_request: noPull(story) === undefined && story.lowValueReason === undefined,
    unwanted: story.lowValueReason ?? null,
    draft: draftReason(story, wish) ?? null,
    title,
    body: renderPullBody(story),
  };
}

function noPull({ start: { config } }: SessionDraft): string | undefined {
  const isOn = config.autopilot.create_pr && config.pr.enabled;
  return isOn ? undefined : "Pull    none: the configuration switches pull requests off";
}

/** What was published, for programs. */
export function publishedJson(
  { branch, pull, lowValueReason: unwanted }: PublicationResult,
  state: SessionState,
) {
  return {
    session_id: state.session.session_id,
    stop_reason: state.end?.reason ?? null,
    branch: branch?.branch ?? state.session.branch,
    commit: branch?.commit ?? null,
    pushed: branch?.kind ?? null,
    pull_request: pull ?? null,
    unwanted: unwanted ?? null,
  };
}

/** What a dry run shows people of a run that has written a document and no more. */
export function renderPlanPreview(story: PlanDraft, { remote }: PlanPublishRequest): string {
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
export function planPreviewJson(story: PlanDraft, { remote }: PlanPublishRequest) {
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
