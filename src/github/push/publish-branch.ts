import { RalphError } from "../../error.ts";
import { branchNameProblem } from "../../git/commits/branch-name.ts";
import { isAncestor } from "../../git/trees/objects.ts";
import type { Config } from "../../schema/config/config.ts";
import { shortCommit } from "../../text/figures.ts";
import { fetchTip, type RemoteState, readRemote } from "../api/remote.ts";
import type { PublicationDraft } from "../publication/prepare-publication.ts";
import type { Publication } from "../publication/publish-request.ts";
import type { FirewallViolation } from "../verify/firewall.ts";
import type { RemoteIds } from "./match-commits.ts";
import type { Pusher } from "./pusher.ts";
import { findSessionCommit, joinCommit } from "./record-commits.ts";

/** `empty`: there are no commits; `unwanted`: no reviewer would want them. Both leave the remote unchanged. */
export interface PublishedBranch {
  branch: string;
  commit: string;
  kind: "pushed" | "up-to-date" | "empty" | "unwanted";
  flagged: readonly FirewallViolation[];
  config: Config;
}

/** The branch after a push. */
export interface PushedBranch {
  published: PublishedBranch;
  /** The branch's present commit: the draft's last one, or a run record on top of it. */
  tip: string;
  /** Commits that have another id on the remote. */
  ids: RemoteIds;
  remoteState: RemoteState;
}

/** Concurrent publishers of one session move the branch no more often than this. */
const maxTries = 5;

/**
 * Pushes a checked draft by compare-and-swap, forward only: to its last commit, or to one that joins it to the records of
 * earlier publishers. Safe to repeat; a person's commits are kept (design 6).
 */
export async function publishBranch(
  pusher: Pusher,
  draft: PublicationDraft,
  { log }: Pick<Publication, "log">,
): Promise<PushedBranch> {
  const pushed = await push(pusher, draft);
  const { kind, branch, commit } = pushed.published;
  const at = shortCommit(commit);
  log(kind === "pushed" ? `Pushed ${branch}, now at ${at}.` : `${branch} already holds ${at}.`);
  return pushed;
}

/** The branch of a draft that is not pushed. */
export function unpushedBranch(
  { start: { branch, config }, head }: PublicationDraft,
  kind: "empty" | "unwanted",
): PublishedBranch {
  return { branch, config, commit: head, kind, flagged: [] };
}

async function push(pusher: Pusher, draft: PublicationDraft): Promise<PushedBranch> {
  const { head, start, flagged } = draft;
  const { branch, config } = start;
  const published = (kind: "pushed" | "up-to-date", ids: RemoteIds): PublishedBranch => ({
    ...{ branch, config, flagged, kind },
    commit: ids.get(head) ?? head,
  });
  let tip: string | undefined;
  for (let left = maxTries; left > 0; left--) {
    const remoteState = await readRemote(pusher.remote, branch, config.git.base_branch);
    requireName(draft, remoteState);
    const { tip: from } = remoteState;
    const { to, ids } = await chooseTarget(pusher, draft, from);
    if (to === from) return { published: published("up-to-date", ids), tip: to, ids, remoteState };
    const result = await pusher.push({ branch, base: start.commit, from, to });
    if (result.kind === "pushed") {
      return { ...result, published: published("pushed", result.ids), remoteState };
    }
    tip = result.tip;
    // A branch that was just deleted is not created again.
    if (tip === undefined) break;
  }
  throw moved(branch, tip, head);
}

function requireName(
  { start: { branch, config } }: PublicationDraft,
  { defaultBranch }: RemoteState,
): void {
  const problem = branchNameProblem(branch);
  if (!problem && branch !== config.git.base_branch && branch !== defaultBranch) return;
  throw new RalphError("git", {
    message: `Nothing is pushed to ${JSON.stringify(branch)}: its name ${problem ?? "is that of the base or default branch"}.`,
    remedy: "Set `branchName` in the task list to a new branch, then run the tasks again.",
  });
}

/** The commit to move the branch to; it always contains the branch's present tip. */
async function chooseTarget(
  { remote, held }: Pusher,
  { kind, start, own, head }: PublicationDraft,
  tip: string | undefined,
): Promise<{ to: string; ids: RemoteIds }> {
  if (tip === undefined) return { to: head, ids: new Map() };
  if (!(await fetchTip(remote, start.branch, tip))) throw moved(start.branch, tip, head);
  const ids = await held({ base: start.commit, from: tip, to: head });
  const remoteId = (commit: string) => ids.get(commit) ?? commit;
  // A session or a person may have continued after a plan.
  if (kind === "plan" && (await isAncestor(remote.repo, remoteId(head), tip))) {
    return { to: tip, ids };
  }
  const from = await findSessionCommit(remote.repo, tip, { start, own: own.map(remoteId) });
  if (from === undefined) throw moved(start.branch, tip, head);
  // The branch holds the head, with nothing but records on top.
  if (from === remoteId(head)) return { to: tip, ids };
  const join = { record: tip, from, head };
  return { to: from === tip ? head : await joinCommit(remote.repo, join, { start }), ids };
}

function moved(branch: string, tip: string | undefined, head: string): RalphError {
  const place = tip === undefined ? "was deleted" : `is at ${tip}, which is unknown here`;
  return new RalphError("git", {
    message: `The branch ${branch} of the remote ${place}; the commit to push is ${head}. Nothing was pushed.`,
    remedy:
      "Someone else changed the branch: keep what you need of it, then delete the branch, or run again with another `branchName`.",
  });
}
