import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { askGit, readGitLine, runGit } from "../repository/run-git.ts";

/** One line of a file, by its path from the work tree's root, with another text. */
export type LineEdit = { path: string; line: number; before: string; after: string };

/**
 * The id of a tree with one line of a file changed; undefined where the line is another, or is the last without an end.
 * Neither the private index nor any file is touched.
 */
export async function treeEdited(
  repo: Repository,
  { tree, edit }: { tree: string; edit: LineEdit },
): Promise<string | undefined> {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "other-index") };
  const { path, line, before, after } = edit;
  const input = `--- a/${path}\n+++ b/${path}\n@@ -${line} +${line} @@\n-${before}\n+${after}\n`;
  await runGit(repo, ["read-tree", tree], { env });
  const args = ["apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", "-"];
  const { exitCode } = await askGit(repo, args, { env, input });
  return exitCode === 0 ? readGitLine(repo, ["write-tree"], { env }) : undefined;
}
