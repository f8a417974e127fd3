import { join } from "node:path/posix";
import type { Repository } from "../repository/repository.ts";
import { askGit, readGitLine, runGit } from "../repository/run-git.ts";
import { toTreePath } from "./tree-path.ts";

// Each answers the id of a new tree. Neither the private index nor any file changes.

/** A tree whose `paths` (below the project root) are as in another tree, absent ones included. */
export async function treeWith(
  repo: Repository,
  { tree, paths, from }: { tree: string; paths: readonly string[]; from: string },
): Promise<string> {
  if (paths.length === 0) return tree;
  const names = paths.map((path) => toTreePath(repo.prefix, path));
  const entries = await runGit(repo, ["ls-tree", "-z", from, "--", ...names]);
  const absent = names.map((name) => `0 ${"0".repeat(tree.length)}\t${name}\0`);
  const input = Buffer.concat([Buffer.from(absent.join("")), entries]);
  const env = await openIndex(repo, tree);
  await runGit(repo, ["update-index", "-z", "--index-info"], { env, input });
  return readGitLine(repo, ["write-tree"], { env });
}

/** A tree with another text in one regular file, by its path below the project root. */
export async function treeWithText(
  repo: Repository,
  { tree, path, text }: { tree: string; path: string; text: string },
): Promise<string> {
  const blob = await readGitLine(repo, ["hash-object", "-w", "--stdin"], { input: text });
  const env = await openIndex(repo, tree);
  const entry = `100644,${blob},${toTreePath(repo.prefix, path)}`;
  await runGit(repo, ["update-index", "--add", "--cacheinfo", entry], { env });
  return readGitLine(repo, ["write-tree"], { env });
}

/** One line of a file, by its path from the work tree's root, with another text. */
export type LineEdit = { path: string; line: number; before: string; after: string };

/** A tree with one line of a file changed; undefined if the line differs, or is the last and has no line end. */
export function treeEdited(
  repo: Repository,
  { tree, edit }: { tree: string; edit: LineEdit },
): Promise<string | undefined> {
  const { path, line, before, after } = edit;
  const patch = `--- a/${path}\n+++ b/${path}\n@@ -${line} +${line} @@\n-${before}\n+${after}\n`;
  return patched(repo, tree, { patch, how: "--unidiff-zero" });
}

/** A tree with a patch taken back; undefined if the patch does not fit. */
export const treeWithout = (
  repo: Repository,
  { tree, patch }: { tree: string; patch: string },
): Promise<string | undefined> => patched(repo, tree, { patch, how: "--reverse" });

async function patched(repo: Repository, tree: string, change: { patch: string; how: string }) {
  const env = await openIndex(repo, tree);
  const args = ["apply", "--cached", change.how, "--whitespace=nowarn", "-"];
  const { exitCode } = await askGit(repo, args, { env, input: change.patch });
  return exitCode === 0 ? readGitLine(repo, ["write-tree"], { env }) : undefined;
}

/** Reads a tree into an index of its own; answers the variable that names that index. */
async function openIndex(repo: Repository, tree: string) {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "other-index") };
  await runGit(repo, ["read-tree", tree], { env });
  return env;
}
