import type { Repository } from "../../git/repository/repository.ts";
import { runGit } from "../../git/repository/run-git.ts";

/** The content of a commit; apart from ids, it is the same when GitHub makes the commit again. */
export interface CommitShape {
  id: string;
  tree: string;
  parents: readonly string[];
  message: string;
}

/** More commits than any session and its publishers make. */
const maxCommits = 4000;
const format = "%H%x00%T%x00%P%x00%B";

/** Every commit of `tip` that `base` lacks, parents first. */
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

/** Local ids, each with the id of the same commit on the remote. */
export type RemoteIds = ReadonlyMap<string, string>;

/**
 * Finds local commits among those of a remote, where they may have other ids, by tree, message and parents. Both lists
 * start with the parents. Pure.
 */
export function matchCommits(
  local: readonly CommitShape[],
  remote: readonly CommitShape[],
): RemoteIds {
  const found = new Map<string, string>();
  for (const commit of local) {
    const wanted = { ...commit, parents: remoteParents(commit, found) };
    const other = remote.find((each) => each.id === commit.id || isSame(each, wanted));
    if (other) found.set(commit.id, other.id);
  }
  return found;
}

/** The ids of a commit's parents on the remote; most commits have the same id everywhere. */
export function remoteParents({ parents }: CommitShape, ids: RemoteIds): string[] {
  return parents.map((id) => ids.get(id) ?? id);
}

const isSame = (one: CommitShape, other: CommitShape) =>
  one.tree === other.tree &&
  one.message === other.message &&
  one.parents.join() === other.parents.join();
