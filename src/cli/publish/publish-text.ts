import type { SessionState } from "../../core/state/session-state.ts";
import type { PlanDraft, SessionDraft } from "../../github/publication/prepare-publication.ts";
import type {
  PlanPublishRequest,
  PublishRequest,
} from "../../github/publication/publish-request.ts";
import { draftReason } from "../../github/publish/finish-pull.ts";
import type { PublicationResult } from "../../github/publish/publish-pull.ts";
import { pictureBranch } from "../../github/publish/push-pictures.ts";
import { counted } from "../../text/figures.ts";
import { plainLine, plainText } from "../../text/plain-text.ts";
import { renderPullBody } from "../../views/pull-request/pull-body.ts";
import { choosePictures } from "../../views/pull-request/pull-pictures.ts";

/** The facts of a publication that has not happened. */
type Preview = Pick<PlanDraft, "start" | "own" | "head" | "title" | "body"> & {
  remote: string;
  /** Why the pull request is a draft. */
  draft: string | undefined;
  flagged?: SessionDraft["flagged"];
  /** Only for a session: why its work is not worth a pull request, or null. */
  unwanted?: string | null;
  /** Pictures that everyone who can read the repository would see. */
  pictures?: { count: number; branch: string } | undefined;
};

export function sessionPreview(draft: SessionDraft, request: PublishRequest): Preview {
  const { start, own, title, flagged, state, lowValueReason: unwanted = null } = draft;
  const facts = { start, own, title, flagged, unwanted, head: state.head };
  const why = draftReason(draft, request);
  const shown = { ...facts, remote: request.remote.url, draft: why, body: renderPullBody(draft) };
  return { ...shown, pictures: picturesOf(draft) };
}

function picturesOf({ start, state }: SessionDraft): Preview["pictures"] {
  const count = choosePictures(state).flatMap(({ pictures }) => pictures).length;
  if (start.config.pr.images !== "branch" || count === 0) return undefined;
  return { count, branch: pictureBranch(state) };
}

/** The preview for a run that has only written a document. */
export function planPreview(draft: PlanDraft, { remote }: PlanPublishRequest): Preview {
  const { start, own, head, title, body } = draft;
  return { start, own, head, title, body, remote: remote.url, draft: "nothing is built yet" };
}

export function renderPreview(preview: Preview): string {
  const { start, own, head, title, body, remote, draft, flagged = [] } = preview;
  const { unwanted, pictures } = preview;
  if (unwanted !== undefined && own.length === 0) {
    return "No task has passed; there is nothing to push.";
  }
  if (unwanted) return `Nothing would be published: ${unwanted}.`;
  const { branch, config } = start;
  const into = `${branch} into ${config.git.base_branch}`;
  const status = draft === undefined ? "ready for review" : `as a draft: ${draft}`;
  return [
    `Branch  ${branch}: ${counted(own.length, "commit")}, up to ${head.slice(0, 12)}`,
    `To      ${remote}`,
    ...flagged.map(({ path, message }) => `Check   ${plainLine(path)}: ${plainLine(message)}`),
    wantsPull(preview)
      ? `Pull    ${into}, ${status}`
      : "Pull    none: the configuration switches pull requests off",
    ...(pictures && wantsPull(preview)
      ? [`Images  ${counted(pictures.count, "picture")} on the branch ${pictures.branch}`]
      : []),
    `Title   ${plainLine(title, 300)}`,
    "",
    plainText(body).trimEnd(),
  ].join("\n");
}

export function previewJson(preview: Preview): object {
  const { start, own, title, body, remote, draft, unwanted, pictures } = preview;
  return {
    branch: start.branch,
    base: start.config.git.base_branch,
    remote,
    commits: own,
    pull_request: wantsPull(preview) && !unwanted,
    ...(unwanted !== undefined && { unwanted }),
    draft: draft ?? null,
    ...(pictures && wantsPull(preview) && { pictures }),
    title,
    body,
  };
}

const wantsPull = ({ start: { config } }: Preview) =>
  config.autopilot.create_pr && config.pr.enabled;

/** The result of a publication, as JSON. */
export const publishedJson = (
  { branch, pull, lowValueReason: unwanted }: PublicationResult,
  state: SessionState,
) => ({
  session_id: state.session.session_id,
  stop_reason: state.end?.reason ?? null,
  branch: branch?.branch ?? state.session.branch,
  commit: branch?.commit ?? null,
  pushed: branch?.kind ?? null,
  pull_request: pull ?? null,
  unwanted: unwanted ?? null,
});
