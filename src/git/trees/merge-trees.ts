import type { Repository } from "../repository/repository.ts";
import { askGit, readGitLine } from "../repository/run-git.ts";
import { splitRecords, toProjectPath } from "./tree-path.ts";

/** The result of merging two commits. `unknown`: git cannot merge, as in a clone without their common history. */
type MergeResult =
  | { kind: "merged"; tree: string }
  | { kind: "conflict"; files: readonly string[] }
  | { kind: "unknown"; because: string };

/** Merges two commits without a work tree, an index or a ref to the result. Needs git 2.38. */
export async function mergeTrees(
  repo: Repository,
  { ours, theirs }: { ours: string; theirs: string },
): Promise<MergeResult> {
  const options = ["--write-tree", "-z", "--name-only", "--no-messages"];
  const answer = await askGit(repo, ["merge-tree", ...options, ours, theirs]);
  const [tree = "", ...paths] = splitRecords(answer.stdout);
  if (answer.exitCode === 0) return { kind: "merged", tree };
  if (answer.exitCode !== 1) {
    return { kind: "unknown", because: answer.stderr.trim().split("\n", 1)[0] ?? "" };
  }
  // git lists a file with two conflicts twice.
  const files = new Set(paths.map((path) => toProjectPath(repo.prefix, path)));
  return { kind: "conflict", files: [...files] };
}

/** Merges a tree of a side work tree with a later commit, by a temporary commit without a ref. Needs git 2.38. */
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
