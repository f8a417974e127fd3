import { RalphError } from "../../error.ts";
import type { System } from "../../platform/system.ts";
import { renderPullBody } from "../../views/pull-request/pull-body.ts";
import type { Summary } from "../../views/summary/summary.ts";
import type { PublicationDraft, SessionDraft } from "../publication/prepare-publication.ts";
import {
  type Publication,
  type PublishDeps,
  type PublishRequest,
  requireNoSecret,
} from "../publication/publish-request.ts";
import { addressPull } from "../pulls/address-pull.ts";
import { findOnBranch, type Pull } from "../pulls/pull.ts";
import { type OpenedPull, openPull } from "../pulls/pull-request.ts";
import { readBaseState } from "../push/base-state.ts";
import type { RemoteIds } from "../push/match-commits.ts";
import { type PublishedBranch, publishBranch } from "../push/publish-branch.ts";
import type { Pusher } from "../push/pusher.ts";
import { finishPull } from "./finish-pull.ts";
import { publishPictures } from "./push-pictures.ts";
import { endedDocuments, isOver, pushRecord, recordFiles, recordWith } from "./record-commit.ts";

/** `branch` alone: no pull request was wanted, or no further one may be opened. */
export interface PublicationResult {
  branch: PublishedBranch | undefined;
  /** `merged` and `rejected`: a person has decided, and nothing was changed. */
  pull?: { kind: FoundPull["kind"]; number: number; url: string; draft: boolean };
  /** Why no reviewer would want the change; then nothing was pushed. */
  lowValueReason?: string;
}

type FoundPull = Exclude<OpenedPull, { kind: "full" }>;
type PullAccess = { deps: PublishDeps; draft: PublicationDraft; request: Publication };
type SessionPull = PullAccess & {
  draft: SessionDraft;
  request: PublishRequest;
  pusher: Pusher;
  files: System["files"];
};

/**
 * Pushes the branch, opens its pull request as a draft, adds the run record as the last commit, and marks it ready. A pull
 * request that a person merges or closes, even meanwhile, is left alone.
 */
export async function publishPull(context: SessionPull): Promise<PublicationResult> {
  const { deps, draft, request, pusher } = context;
  const decided = await findDecided(context);
  if (decided) return { branch: undefined, pull: pullResult(decided) };
  const pushed = await publishBranch(pusher, draft, request);
  const { published: branch, tip, ids, remoteState: state } = pushed;
  const base = await readBaseState(pusher.remote, { draft, state, proved: request.proved });
  const { base_branch: wanted } = branch.config.git;
  if (base.branch !== wanted) {
    request.log(`The remote has no branch ${wanted}: the pull request goes to ${base.branch}.`);
  }
  const summary = withRemoteIds(draft.summary, ids);
  const body = renderPullBody({ ...draft, summary, base, pictures: await showPictures(context) });
  const opened = await openOrExplain(context, { base: base.branch, body });
  if (!opened) return { branch };
  if (isDecided(opened)) return { branch, pull: pullResult(opened) };
  const { kind, pull } = opened;
  const verb = kind === "created" ? "was opened" : "is open";
  request.log(`Pull request #${pull.number} ${verb}: ${pull.html_url}`);
  if (kind === "created") await addressPull(deps.github, pull, request);
  const record = await keepRecord(context, { pull, tip });
  // A person may have decided in the meantime; then it is not marked ready.
  const meanwhile = await findDecided(context);
  if (meanwhile) return { branch, pull: pullResult(meanwhile) };
  if (record.kind === "gone") {
    throw new RalphError("git", {
      message: `The branch ${branch.branch} of the remote was deleted while its run record was pushed.`,
      remedy: "Publish again if you still want it: the bundle holds everything.",
    });
  }
  const last = await finishPull(deps, { draft, request, pull, head: record.tip, base });
  return { branch, pull: pullResult({ kind, pull: last }) };
}

/** Lines that show the session's pictures, where the project wants them on a branch. */
async function showPictures({ deps, draft, request, ...place }: SessionPull): Promise<string[]> {
  if (draft.start.config.pr.images !== "branch") return [];
  const { github } = deps;
  const { remote } = place.pusher;
  const bundle = place.files(request.bundle);
  return publishPictures({ github, remote, bundle, log: request.log }, draft);
}

/** Opens the pull request as a draft, or finds it; logs the reason when it cannot be worked on. */
export async function openOrExplain(
  { deps, draft, request: { log } }: PullAccess,
  { base, body }: { base: string; body: string },
): Promise<FoundPull | undefined> {
  const opened = await openPull(deps, { ...queryFor(draft), base, title: draft.title, body });
  if (opened.kind === "full") {
    const others = opened.others.map(({ html_url }) => html_url).join(", ");
    log(`No pull request is opened while other pull requests by ralph are open: ${others}`);
    return undefined;
  }
  if (isDecided(opened)) logDecision(opened, log);
  return opened;
}

export const isDecided = ({ kind }: FoundPull): boolean => kind === "merged" || kind === "rejected";

export const pullResult = ({ kind, pull }: FoundPull) => {
  const { number, html_url: url, draft } = pull;
  return { kind, number, url, draft: draft === true };
};

const queryFor = ({ start: { branch, config }, marker, overridesRejection }: PublicationDraft) => ({
  branch,
  marker,
  overridesRejection,
  maxOpen: config.limits.open_prs,
});

/** The pull request, if a person has merged or closed it. */
async function findDecided({ deps, draft, request }: PullAccess): Promise<FoundPull | undefined> {
  const query = { ...queryFor(draft), viewer: deps.viewer };
  const status = await findOnBranch(deps.github, query);
  if (status.kind !== "merged" && status.kind !== "rejected") return undefined;
  logDecision(status, request.log);
  return status;
}

function logDecision({ kind, pull }: FoundPull, log: Publication["log"]): void {
  const decision =
    kind === "merged"
      ? "is already merged; nothing is added to it"
      : "was closed without a merge; it is not opened again";
  log(`Pull request #${pull.number} ${decision}: ${pull.html_url}`);
}

function withRemoteIds(summary: Summary, ids: RemoteIds): Summary {
  const remoteId = (commit: string | null) => {
    const made = commit && [...ids].find(([local]) => local.startsWith(commit));
    return made ? made[1].slice(0, commit.length) : commit;
  };
  const made = <Work extends { commit: string | null }>(works: readonly Work[]) =>
    works.map((work) => ({ ...work, commit: remoteId(work.commit) }));
  return {
    ...summary,
    head: remoteId(summary.head) ?? summary.head,
    tasks: made(summary.tasks),
    repairs: made(summary.repairs),
  };
}

/** Pushes the run record and what tasks without a commit leave in documents; returns the branch's last commit. */
async function keepRecord(
  { deps, draft, request, pusher }: SessionPull,
  { pull, tip }: { pull: Pull; tip: string },
) {
  const record = isOver(draft.state) ? recordWith(draft, request, pull.html_url) : undefined;
  if (!record) return { kind: "pushed", tip } as const;
  const documents = await endedDocuments(pusher.remote.repo, draft, tip);
  const files = [...recordFiles(record, request), ...documents];
  requireNoSecret(deps, "run record", files.map(({ content }) => String(content)).join("\n"));
  return pushRecord(pusher, draft, { files, tip });
}
