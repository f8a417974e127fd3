import type { Repository } from "../../git/repository/repository.ts";
import { runGit } from "../../git/repository/run-git.ts";

/** What a commit and the one that was made of it elsewhere have in common, but for the ids of both. */
export interface CommitShape {
  id: string;
  tree: string;
  parents: readonly string[];
  message: string;
}

/** More than a session and its publishers ever make. */
const maxCommits = 4000;
const format = "%H%x00%T%x00%P%x00%B";

/** Every commit a tip has and `base` has not, parents first. */
export async function readShapes(
  repo: Repository,
  { base, tip }: { base: string; tip: string },
): Promise<CommitShape[]> {
  const order = ["--topo-order", "--reverse", `--max-count=${maxCommits}`];
  const args = ["log", "-z", "--no-show-signature", `--format=${format}`, ...order];
  const fields = (await runGit(repo, [...args, tip, `^${base}`])).toString().split("\0");
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, index) => {
    const [id = "", tree = "", parents = "", message = ""] = fields.slice(4 * index, 4 * index + 4);
    return { id, tree, parents: parents.split(" ").filter(Boolean), message: message.trim() };
  });
}

/** Ids of ours, each with the id of the same commit on the remote. */
export type RemoteIds = ReadonlyMap<string, string>;

/**
 * Finds our commits among those of a remote, where they may have other ids: by tree, message and place. Both are given
 * parents first. Pure.
 */
export function matchCommits(
  ours: readonly CommitShape[],
  theirs: readonly CommitShape[],
): RemoteIds {
  const found = new Map<string, string>();
  for (const commit of ours) {
    const wanted = { ...commit, parents: remoteParents(commit, found) };
    const other = theirs.find((each) => each.id === commit.id || isSame(each, wanted));
    if (other) found.set(commit.id, other.id);
  }
  return found;
}

/** The parents a commit of ours has on the remote; what was not made anew has one id everywhere. */
export function remoteParents({ parents }: CommitShape, ids: RemoteIds): string[] {
  return parents.map((id) => ids.get(id) ?? id);
}

const isSame = (one: CommitShape, other: CommitShape) =>
  one.tree === other.tree &&
  one.message === other.message &&
  one.parents.join() === other.parents.join();
