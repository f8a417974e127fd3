import type { Repository } from "../repository/repository.ts";
import { readGitLine } from "../repository/run-git.ts";
import { type MergeResult, mergeTrees } from "./merge-trees.ts";

/**
 * Merges the work of a side work tree, as a tree, with a commit that its own commit is an ancestor of. git merges
 * only commits, so the work gets a temporary one without a ref. Needs git 2.38.
 */
export async function mergeOnto(
  side: Repository,
  { onto, tree }: { onto: string; tree: string },
): Promise<MergeResult> {
  const date = "@0 +0000";
  const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  // It need not survive a power failure.
  const args = ["-c", "core.fsync=none", "commit-tree", "-p", "HEAD", "-m", "ralph", tree];
  const theirs = await readGitLine(side, args, { env });
  return mergeTrees(side, { ours: onto, theirs });
}
