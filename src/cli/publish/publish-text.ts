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

/** The preview of a publication. */
export function renderPreview(draft: SessionDraft, request: PublishRequest): string {
  if (draft.own.length === 0) return "No task has passed; there is nothing to push.";
  if (draft.lowValueReason) return `Nothing would be published: ${draft.lowValueReason}.`;
  const { start, own, title, state, flagged } = draft;
  const { branch, config } = start;
  const why = draftReason(draft, request);
  const into = `${branch} into ${config.git.base_branch}`;
  return [
    `Branch  ${branch}: ${counted(own.length, "commit")}, up to ${state.head.slice(0, 12)}`,
    `To      ${request.remote.url}`,
    ...flagged.map(({ path, message }) => `Check   ${plainLine(path)}: ${plainLine(message)}`),
    noPull(draft) ??
      `Pull    ${into}, ${why === undefined ? "ready for review" : `as a draft: ${why}`}`,
    `Title   ${plainLine(title, 300)}`,
    "",
    plainText(renderPullBody(draft)).trimEnd(),
  ].join("\n");
}

/** The same as JSON. */
export function previewJson(draft: SessionDraft, request: PublishRequest) {
  const { start, own, title } = draft;
  return {
    branch: start.branch,
    base: start.config.git.base_branch,
    remote: request.remote.url,
    commits: own,
    pull_request: noPull(draft) === undefined && draft.lowValueReason === undefined,
    unwanted: draft.lowValueReason ?? null,
    draft: draftReason(draft, request) ?? null,
    title,
    body: renderPullBody(draft),
  };
}

function noPull({ start: { config } }: SessionDraft): string | undefined {
  const isOn = config.autopilot.create_pr && config.pr.enabled;
  return isOn ? undefined : "Pull    none: the configuration switches pull requests off";
}

/** The result of a publication, as JSON. */
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

/** The preview for a run that has only written a document. */
export function renderPlanPreview(draft: PlanDraft, { remote }: PlanPublishRequest): string {
  const { start, own, head, title, body } = draft;
  const { branch, config } = start;
  return [
    `Branch  ${branch}: ${counted(own.length, "commit")}, up to ${head.slice(0, 12)}`,
    `To      ${remote.url}`,
    isOn(draft)
      ? `Pull    ${branch} into ${config.git.base_branch}, as a draft: nothing is built yet`
      : "Pull    none: the configuration switches pull requests off",
    `Title   ${plainLine(title, 300)}`,
    "",
    plainText(body).trimEnd(),
  ].join("\n");
}

/** The same as JSON. */
export function planPreviewJson(draft: PlanDraft, { remote }: PlanPublishRequest) {
  const { start, own, title, body } = draft;
  return {
    branch: start.branch,
    base: start.config.git.base_branch,
    remote: remote.url,
    commits: own,
    pull_request: isOn(draft),
    draft: "nothing is built yet",
    title,
    body,
  };
}

const isOn = ({ start: { config } }: PlanDraft) => config.autopilot.create_pr && config.pr.enabled;
