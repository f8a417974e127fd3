import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { readGitLine, runGit } from "../repository/run-git.ts";
import { toTreePath } from "./tree-path.ts";

/**
 * The id of a tree with another text in one regular file, by its path below the project root. Neither the private index
 * nor any file is touched.
 */
export async function treeWithText(
  repo: Repository,
  { tree, path, text }: { tree: string; path: string; text: string },
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "other-index") };
  const blob = await readGitLine(repo, ["hash-object", "-w", "--stdin"], { input: text });
  await runGit(repo, ["read-tree", tree], { env });
  const entry = `100644,${blob},${toTreePath(repo.prefix, path)}`;
  await runGit(repo, ["update-index", "--add", "--cacheinfo", entry], { env });
  return readGitLine(repo, ["write-tree"], { env });
}
