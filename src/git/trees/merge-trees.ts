import type { Repository } from "../repository/repository.ts";
import { askGit } from "../repository/run-git.ts";
import { splitRecords, toProjectPath } from "./tree-path.ts";

/** The result of merging two commits. `unknown`: git cannot merge, as in a clone without their common history. */
export type MergeResult =
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
