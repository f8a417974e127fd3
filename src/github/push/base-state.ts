import { readGitLine } from "../../git/repository/run-git.ts";
import { mergeTrees } from "../../git/trees/merge-trees.ts";
import { isAncestor } from "../../git/trees/objects.ts";
import type { BaseStatus } from "../../views/pull-request/pull-base.ts";
import { fetchTip, type Remote, type RemoteState } from "../api/remote.ts";
import type { HandedProof } from "../artifacts/handed-proof.ts";
import type { SessionDraft } from "../publication/prepare-publication.ts";

/** The branch a pull request goes to: the configuration's, or the remote's own where that one is gone (renamed). */
export function pullBaseBranch({ start: { config } }: SessionDraft, state: RemoteState): string {
  const { base_branch: wanted } = config.git;
  return state.base === undefined ? (state.defaultBranch ?? wanted) : wanted;
}

/**
 * How the head stands to the base branch as it is now: what came to it that the head lacks, whether that merges, and
 * whether the clean room has run the gates on such a merge.
 */
export async function readBaseState(
  remote: Remote,
  {
    draft,
    state,
    proved,
  }: { draft: SessionDraft; state: RemoteState; proved: HandedProof | undefined },
): Promise<BaseStatus> {
  const { repo } = remote;
  const { head } = draft.state;
  const branch = pullBaseBranch(draft, state);
  const about = { branch, commit: state.base ?? "", conflicts: [], since: 0 };
  if (state.base === undefined) return { ...about, kind: "unknown" };
  const { base: commit } = state;
  if (!(await fetchTip(remote, branch, commit))) return { ...about, kind: "unknown" };
  if (await isAncestor(repo, commit, head)) return { ...about, kind: "current" };
  const since = await countCommits(remote, head, commit);
  const merge = await mergeTrees(repo, { ours: head, theirs: commit });
  if (merge.kind === "unknown") return { ...about, since, kind: "unknown" };
  if (merge.kind === "conflict") {
    return { ...about, since, kind: "conflict", conflicts: merge.files };
  }
  const known = provedMerge(proved, branch);
  const newer = known && (await countCommits(remote, known.commit, commit));
  return { ...about, since, kind: "merges", ...(known && { proved: known, newer }) };
}

/** Of a branch of another name, or where nothing was run, the clean room's merge tells nothing. */
function provedMerge(proved: HandedProof | undefined, branch: string) {
  const base = proved?.base;
  if (!base || base.branch !== branch) return undefined;
  const { kind, commit, red } = base;
  return kind === "green" || kind === "red" ? { commit, holds: kind === "green", red } : undefined;
}

/** A commit that is not here by now is as if it had never been there: then everything is new. */
async function countCommits({ repo }: Remote, from: string, to: string): Promise<number> {
  const args = ["rev-list", "--count", "--ignore-missing", to, `^${from}`];
  return Number(await readGitLine(repo, args));
}
