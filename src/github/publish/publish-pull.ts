import { RalphError } from "../../error.ts";
import { renderPullBody } from "../../views/pull-request/pull-body.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { findOnBranch } from "../pulls/find-marked.ts";
import type { Pull } from "../pulls/pull.ts";
import { type OpenedPull, openPull } from "../pulls/pull-request.ts";
import { readBaseState } from "../push/base-state.ts";
import {
  type PublicationContext,
  type PublishedBranch,
  publishBranch,
} from "../push/publish-branch.ts";
import { finishPull } from "./finish-pull.ts";
import { isOver, pushRecord, recordFiles, recordWith } from "./record-commit.ts";
import { withRemoteIds } from "./remote-summary.ts";

/** `branch` alone: no pull request was wanted, or there may be no further one. */
export interface PublicationResult {
  branch: PublishedBranch | undefined;
  /** Undefined: there is none. `merged` and `rejected`: a person has decided, nothing was changed. */
  pull?: { kind: Exclude<OpenedPull["kind"], "full">; number: number; url: string; draft: boolean };
  /** Why nobody would review it; then nothing was pushed. */
  lowValueReason?: string;
}

type PullWork = PublicationContext & { deps: PublishDeps };

/**
 * Pushes the branch, opens its pull request as a draft, adds the run record as the last commit, and marks it ready. What
 * a person has merged or closed is left alone, also when that happens meanwhile.
 */
export async function publishPull(work: PullWork): Promise<PublicationResult> {
  const { deps, draft, request, remote } = work;
  const decided = await findDecided(work);
  if (decided) return { branch: undefined, pull: decided };
  const { published: branch, tip, ids, remoteState: state } = await publishBranch(work);
  const base = await readBaseState(remote, { draft, state, proved: request.proved });
  const { base_branch: wanted } = branch.config.git;
  if (base.branch !== wanted) {
    request.log(`The remote has no branch ${wanted}: the pull request goes to ${base.branch}.`);
  }
  const { title, told } = draft;
  const body = renderPullBody({ ...told, summary: withRemoteIds(told.summary, ids), base });
  const opened = await openPull(deps, { ...claimOf(draft), base: base.branch, title, body });
  if (opened.kind === "full") {
    const others = opened.others.map(({ html_url }) => html_url).join(", ");
    request.log(`No pull request is opened while another one of ours is open: ${others}`);
    return { branch };
  }
  const { kind, pull } = opened;
  if (kind === "merged" || kind === "rejected") {
    return { branch, pull: reportDecided({ kind, pull }, request) };
  }
  const verb = kind === "created" ? "was opened" : "is open";
  request.log(`Pull request #${pull.number} ${verb}: ${pull.html_url}`);
  const record = await keepRecord(work, { pull, tip });
  // A person may have been faster; then there is nothing to be made ready.
  const meanwhile = await findDecided(work);
  if (meanwhile) return { branch, pull: meanwhile };
  if (record.kind === "gone") throw gone(draft);
  const last = await finishPull(deps, {
    draft,
    request,
    pull,
    head: record.tip,
    base,
  });
  return { branch, pull: { kind, ...shown(last) } };
}

const claimOf = ({ start: { branch, config }, marker, again }: SessionDraft) => ({
  branch,
  marker,
  again,
  maxOpen: config.limits.open_prs,
});

const shown = ({ number, html_url: url, draft }: Pull) => ({ number, url, draft });

type Decided = { kind: "merged" | "rejected"; pull: Pull };

/** The pull request, where a person has merged or closed it: that is the end of it. */
async function findDecided({
  deps,
  draft,
  request,
}: PullWork): Promise<PublicationResult["pull"] | undefined> {
  const claimed = { ...claimOf(draft), viewer: deps.viewer };
  const standing = await findOnBranch(deps.github, claimed);
  if (standing.kind !== "merged" && standing.kind !== "rejected") return undefined;
  return reportDecided({ kind: standing.kind, pull: standing.pull }, request);
}

function gone({ start: { branch } }: SessionDraft): RalphError {
  return new RalphError("git", {
    message: `Somebody deleted the branch ${branch} of the remote while its run record was made.`,
    remedy: "Publish again when it is wanted all the same: the bundle holds all of it.",
  });
}

function reportDecided({ kind, pull }: Decided, { log }: PublishRequest) {
  const words = {
    merged: "is merged already; nothing is added to it",
    rejected: "was closed without a merge; it is not opened again",
  };
  log(`Pull request #${pull.number} ${words[kind]}: ${pull.html_url}`);
  return { kind, ...shown(pull) };
}

/** Answers where the branch stands at the end. */
async function keepRecord(
  { deps, draft, request, pusher }: PullWork,
  { pull, tip }: { pull: Pull; tip: string },
) {
  const record = isOver(draft.state) ? recordWith(draft, request, pull.html_url) : undefined;
  if (!record) return { kind: "pushed", tip } as const;
  const files = recordFiles(record, request);
  requireNoSecret(deps, "run record", files.map(({ content }) => String(content)).join("\n"));
  return pushRecord(pusher, draft, { files, tip });
}
