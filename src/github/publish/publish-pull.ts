import { RalphError } from "../../error.ts";
import { renderPullBody } from "../../views/pull-request/pull-body.ts";
import type { PublicationDraft } from "../publication/prepare-publication.ts";
import { type PublishDeps, requireNoSecret } from "../publication/publish-deps.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import { findOnBranch } from "../pulls/find-marked.ts";
import type { Pull } from "../pulls/pull.ts";
import { type OpenedPull, openPull } from "../pulls/pull-request.ts";
import { readBaseState } from "../push/base-state.ts";
import {
  type PublicationContext,
  type PublishResult,
  publishBranch,
} from "../push/publish-branch.ts";
import { finishPull } from "./finish-pull.ts";
import { isOver, pushRecord, recordFiles, recordWith } from "./record-commit.ts";
import { withRemoteIds } from "./remote-summary.ts";

/** `branch` alone: no pull request was wanted, or there may be no further one. */
export interface PublishedSession {
  branch: PublishResult | undefined;
  /** Undefined: there is none. `merged` and `rejected`: a person has decided, nothing was changed. */
  pull?: { kind: Exclude<OpenedPull["kind"], "full">; number: number; url: string; draft: boolean };
  /** Why nobody would review it; then nothing was pushed. */
  unwanted?: string;
}

type PullWork = PublicationContext & { deps: PublishDeps };

/**
 * Pushes the branch, opens its pull request as a draft, adds the run record as the last commit, and marks it ready. What
 * a person has merged or closed is left alone, also when that happens meanwhile.
 */
export async function publishPull(work: PullWork): Promise<PublishedSession> {
  const { deps, story, wish, remote } = work;
  const decided = await findDecided(work);
  if (decided) return { branch: undefined, pull: decided };
  const { published: branch, tip, ids, remoteState: state } = await publishBranch(work);
  const base = await readBaseState(remote, { story, state, proved: wish.proved });
  const { base_branch: wanted } = branch.config.git;
  if (base.branch !== wanted) {
    wish.tell(`The remote has no branch ${wanted}: the pull request goes to ${base.branch}.`);
  }
  const { title, told } = story;
  const body = renderPullBody({ ...told, summary: withRemoteIds(told.summary, ids), base });
  const opened = await openPull(deps, { ...claimOf(story), base: base.branch, title, body });
  if (opened.kind === "full") {
    const others = opened.others.map(({ html_url }) => html_url).join(", ");
    wish.tell(`No pull request is opened while another one of ours is open: ${others}`);
    return { branch };
  }
  const { kind, pull } = opened;
  if (kind === "merged" || kind === "rejected") {
    return { branch, pull: tellDecided({ kind, pull }, wish) };
  }
  const verb = kind === "created" ? "was opened" : "is open";
  wish.tell(`Pull request #${pull.number} ${verb}: ${pull.html_url}`);
  const record = await keepRecord(work, { pull, tip });
  // A person may have been faster; then there is nothing to be made ready.
  const meanwhile = await findDecided(work);
  if (meanwhile) return { branch, pull: meanwhile };
  if (record.kind === "gone") throw gone(story);
  const last = await finishPull(deps, { story, wish, pull, head: record.tip, base });
  return { branch, pull: { kind, ...shown(last) } };
}

const claimOf = ({ start: { branch, config }, marker, again }: PublicationDraft) => ({
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
  story,
  wish,
}: PullWork): Promise<PublishedSession["pull"] | undefined> {
  const claimed = { ...claimOf(story), viewer: deps.viewer };
  const standing = await findOnBranch(deps.github, claimed);
  if (standing.kind !== "merged" && standing.kind !== "rejected") return undefined;
  return tellDecided({ kind: standing.kind, pull: standing.pull }, wish);
}

function gone({ start: { branch } }: PublicationDraft): RalphError {
  return new RalphError("git", {
    message: `Somebody deleted the branch ${branch} of the remote while its run record was made.`,
    remedy: "Publish again when it is wanted all the same: the bundle holds all of it.",
  });
}

function tellDecided({ kind, pull }: Decided, { tell }: PublishRequest) {
  const words = {
    merged: "is merged already; nothing is added to it",
    rejected: "was closed without a merge; it is not opened again",
  };
  tell(`Pull request #${pull.number} ${words[kind]}: ${pull.html_url}`);
  return { kind, ...shown(pull) };
}

/** Answers where the branch stands at the end. */
async function keepRecord(
  { deps, story, wish, pusher }: PullWork,
  { pull, tip }: { pull: Pull; tip: string },
) {
  const record = isOver(story.state) ? recordWith(story, wish, pull.html_url) : undefined;
  if (!record) return { kind: "pushed", tip } as const;
  const files = recordFiles(record, wish);
  requireNoSecret(deps, "run record", files.map(({ content }) => String(content)).join("\n"));
  return pushRecord(pusher, story, { files, tip });
}
