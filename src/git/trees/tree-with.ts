import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { readGitLine, runGit } from "../repository/run-git.ts";
import { toTreePath } from "./tree-path.ts";

/**
 * The id of a tree whose `paths` (below the project root) are as in another tree, absent ones included. The private index
 * does not change.
 */
export async function treeWith(
  repo: Repository,
  { tree, paths, from }: { tree: string; paths: readonly string[]; from: string },
): Promise<string> {
  if (paths.length === 0) return tree;
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "other-index") };
  const names = paths.map((path) => toTreePath(repo.prefix, path));
  const entries = await runGit(repo, ["ls-tree", "-z", from, "--", ...names]);
  const absent = names.map((name) => `0 ${"0".repeat(tree.length)}\t${name}\0`);
  const input = Buffer.concat([Buffer.from(absent.join("")), entries]);
  await runGit(repo, ["read-tree", tree], { env });
  await runGit(repo, ["update-index", "-z", "--index-info"], { env, input });
  return readGitLine(repo, ["write-tree"], { env });
}
