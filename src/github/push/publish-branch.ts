import { RalphError } from "../../error.ts";
import { branchNameProblem } from "../../git/commits/branch-name.ts";
import type { Config } from "../../schema/config/config.ts";
import { fetchTip, type Remote, type RemoteState, readRemote } from "../api/remote.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";
import type { PublishRequest } from "../publication/publish-request.ts";
import type { FirewallViolation } from "../verify/firewall.ts";
import type { RemoteIds } from "./match-commits.ts";
import type { Pusher } from "./pusher.ts";
import { findSessionCommit, joinCommit } from "./record-commits.ts";

/** One publication, once its session was found sound. */
export interface PublicationContext {
  draft: SessionDraft;
  request: PublishRequest;
  remote: Remote;
  pusher: Pusher;
}

/** `empty`: the session has no commit; `unwanted`: nothing anybody would review. `flagged`: what people should look at in the pull request. */
export interface PublishedBranch {
  branch: string;
  /** The session's last commit, as the remote has it. */
  commit: string;
  kind: "pushed" | "up-to-date" | "empty" | "unwanted";
  flagged: readonly FirewallViolation[];
  /** That of the start commit. */
  config: Config;
}

/** What was pushed, and the remote it went to. */
export interface PushedBranch {
  published: PublishedBranch;
  /** Where the branch stands now: at the session's last commit, or at our own note behind it. */
  tip: string;
  /** Commits of ours that have another id there. */
  ids: RemoteIds;
  remoteState: RemoteState;
}

/** Publishers of one session get in each other's way no more often. */
const maxTries = 5;

/**
 * Pushes a session that was found sound, by compare-and-swap and never but forward: to its last commit, or to one that
 * joins it to what an earlier publisher has put on the branch. Twice is a no-op; what a person pushed stays (design 6).
 */
export async function publishBranch({
  draft,
  request,
  pusher,
}: PublicationContext): Promise<PushedBranch> {
  const pushed = await push(pusher, draft);
  const { kind, branch, commit } = pushed.published;
  const at = commit.slice(0, 12);
  request.log(
    kind === "pushed" ? `Pushed ${branch}, now at ${at}.` : `${branch} is at ${at} already.`,
  );
  return pushed;
}

async function push(pusher: Pusher, draft: SessionDraft): Promise<PushedBranch> {
  const { state, start, flagged } = draft;
  const { branch, config } = start;
  const told = (kind: "pushed" | "up-to-date", ids: RemoteIds): PublishedBranch => ({
    ...{ branch, config, flagged, kind },
    commit: ids.get(state.head) ?? state.head,
  });
  let tip: string | undefined;
  for (let left = maxTries; left > 0; left--) {
    const remoteState = await readRemote(pusher.remote, branch, config.git.base_branch);
    requireName(draft, remoteState);
    const { tip: from } = remoteState;
    const { to, ids } = await chooseTarget(pusher, draft, from);
    if (to === from) return { published: told("up-to-date", ids), tip: to, ids, remoteState };
    const result = await pusher.push({ branch, base: start.commit, from, to });
    if (result.kind === "pushed") {
      return { ...result, published: told("pushed", result.ids), remoteState };
    }
    tip = result.tip;
    // Whoever takes a branch away does not want it back at once.
    if (tip === undefined) break;
  }
  throw moved(branch, tip, state.head);
}

function requireName(
  { start: { branch, config } }: SessionDraft,
  { defaultBranch }: RemoteState,
): void {
  const problem = branchNameProblem(branch);
  if (!problem && branch !== config.git.base_branch && branch !== defaultBranch) return;
  throw new RalphError("git", {
    message: `Nothing is pushed to ${JSON.stringify(branch)}: its name ${problem ?? "is that of the base or default branch"}.`,
    remedy: "Name a branch of its own by `branchName` in the task list, then run the tasks again.",
  });
}

/** The commit the branch is to stand at, given where it stands: always one that holds that. */
async function chooseTarget(
  { remote, held }: Pusher,
  { state, start, own }: SessionDraft,
  tip: string | undefined,
): Promise<{ to: string; ids: RemoteIds }> {
  const { head } = state;
  if (tip === undefined) return { to: head, ids: new Map() };
  const isHere = await fetchTip(remote, start.branch, tip);
  if (!isHere) throw moved(start.branch, tip, head);
  const ids = await held({ base: start.commit, from: tip, to: head });
  const there = (commit: string) => ids.get(commit) ?? commit;
  const ground = await findSessionCommit(remote.repo, tip, { start, own: own.map(there) });
  if (ground === undefined) throw moved(start.branch, tip, head);
  // A note that stands on the head already, or nothing that is not in the head.
  if (ground === there(head)) return { to: tip, ids };
  const joint = { note: tip, ground, head };
  return { to: ground === tip ? head : await joinCommit(remote.repo, joint), ids };
}

function moved(branch: string, tip: string | undefined, head: string): RalphError {
  return new RalphError("git", {
    message: `The branch ${branch} of the remote is at ${tip ?? "no commit: somebody deleted it"}, which this session does not know; the session is at ${head}. Nothing was pushed.`,
    remedy: `Somebody else pushed there: keep what you want of it, then delete the branch, or run again with another \`branchName\`.`,
  });
}
