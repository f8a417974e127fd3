import type { Repository } from "../repository/repository.ts";
import { runGit } from "../repository/run-git.ts";
import { splitRecords, toProjectPath, toTreePath } from "./tree-path.ts";

/** The paths below the project root, of those given, that a commit holds. */
export async function trackedAmong(
  repo: Repository,
  commit: string,
  paths: readonly string[],
): Promise<string[]> {
  const specs = paths.map((path) => toTreePath(repo.prefix, path));
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", ...specs];
  return splitRecords(await runGit(repo, args)).map((path) => toProjectPath(repo.prefix, path));
}
