import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { askGit, readGitLine, runGit } from "../repository/run-git.ts";

/**
 * The id of a tree with a patch taken back; undefined where the patch does not fit. Neither the private index nor any
 * file is touched.
 */
export async function treeWithout(
  repo: Repository,
  { tree, patch }: { tree: string; patch: string },
): Promise<string | undefined> {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "other-index") };
  await runGit(repo, ["read-tree", tree], { env });
  const args = ["apply", "--reverse", "--cached", "--whitespace=nowarn", "-"];
  const { exitCode } = await askGit(repo, args, { env, input: patch });
  return exitCode === 0 ? readGitLine(repo, ["write-tree"], { env }) : undefined;
}
