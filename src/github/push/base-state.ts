import { readGitLine } from "../../git/repository/run-git.ts";
import { mergeTrees } from "../../git/trees/merge-trees.ts";
import { isAncestor } from "../../git/trees/objects.ts";
import type { BaseStatus } from "../../views/pull-request/pull-base.ts";
import { fetchTip, type Remote, type RemoteState } from "../api/remote.ts";
import type { HandedProof } from "../artifacts/handed-proof.ts";
import type { PublicationDraft, SessionDraft } from "../publication/prepare-publication.ts";

/** The branch a pull request goes to: the configured one, or the remote's default branch when that was deleted or renamed. */
export function pullBaseBranch({ start }: PublicationDraft, state: RemoteState): string {
  const { base_branch: wanted } = start.config.git;
  return state.base === undefined ? (state.defaultBranch ?? wanted) : wanted;
}

type BaseFacts = { draft: SessionDraft; state: RemoteState; proved: HandedProof | undefined };

/**
 * Compares the head with the base branch as it is now: the commits the head lacks, whether they merge, and the clean
 * room's result for such a merge.
 */
export async function readBaseState(
  remote: Remote,
  { draft, state, proved }: BaseFacts,
): Promise<BaseStatus> {
  const { repo } = remote;
  const { head } = draft;
  const branch = pullBaseBranch(draft, state);
  const { base: commit = "" } = state;
  const about = { branch, commit, conflicts: [], since: 0 };
  if (commit === "" || !(await fetchTip(remote, branch, commit)))
    return { ...about, kind: "unknown" };
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

/** The clean room's result for a merge with this branch; undefined when it ran no gates on one. */
function provedMerge(proved: HandedProof | undefined, branch: string) {
  const base = proved?.base;
  if (!base || base.branch !== branch) return undefined;
  const { kind, commit, red } = base;
  return kind === "green" || kind === "red" ? { commit, holds: kind === "green", red } : undefined;
}

/** Counts all commits up to `to` when `from` is missing here. */
async function countCommits({ repo }: Remote, from: string, to: string): Promise<number> {
  const args = ["rev-list", "--count", "--ignore-missing", to, `^${from}`];
  return Number(await readGitLine(repo, args));
}
