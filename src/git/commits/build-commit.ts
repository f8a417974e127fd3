import { join } from "node:path/posix";
import type { Environment } from "../../platform/system.ts";
import type { Repository } from "../repository/repository.ts";
import { readGitLine, runGit } from "../repository/run-git.ts";
import { encodePath, toTreePath } from "../trees/tree-path.ts";

/** A regular file with its path below the project root. */
export interface NewFile {
  path: string;
  content: string | Buffer;
}

/** The contents of a commit that changes only `files`; equal fields give the same commit id. */
export interface FilesCommit {
  parent: string;
  /** Makes it a merge with this first parent; everything except `files` is as in `parent`. */
  before?: string;
  files: readonly NewFile[];
  message: string;
  /** ISO 8601; the author's and the committer's date. */
  date: string;
}

/** Builds a commit without a work tree, with the committer of its parent. No ref points to it yet. */
export async function buildCommit(
  repo: Repository,
  { parent, before, files, message, date }: FilesCommit,
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "files-index") };
  const entries: Buffer[] = [];
  for (const { path, content } of files) {
    const id = await readGitLine(repo, ["hash-object", "-w", "--stdin"], { input: content });
    const name = encodePath(toTreePath(repo.prefix, path));
    entries.push(Buffer.from(`100644 ${id}\t`), name, Buffer.from("\0"));
  }
  await runGit(repo, ["read-tree", parent], { env });
  const input = Buffer.concat(entries);
  await runGit(repo, ["update-index", "--replace", "-z", "--index-info"], { env, input });
  const tree = await readGitLine(repo, ["write-tree"], { env });
  const person = await committerOf(repo, parent);
  const at = `@${Math.floor(Date.parse(date) / 1000)} +0000`;
  const parents = [...(before ? ["-p", before] : []), "-p", parent];
  return readGitLine(repo, ["commit-tree", ...parents, "-m", message, tree], {
    env: { ...person, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
  });
}

async function committerOf(repo: Repository, commit: string): Promise<Environment> {
  const args = ["log", "-1", "--no-show-signature", "--format=%cn%x00%ce", commit];
  const [name = "", email = ""] = (await readGitLine(repo, args)).split("\0");
  return {
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
  };
}
