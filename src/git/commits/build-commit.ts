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
  { parent, before, ...content }: FilesCommit,
): Promise<string> {
  const person = await committerOf(repo, parent);
  const parents = before === undefined ? [parent] : [before, parent];
  return commitOn(repo, { from: parent, parents, person, ...content });
}

/** Builds a commit that has only `files`, at the top of the repository, with the committer of another commit. */
export async function buildAlone(
  repo: Repository,
  {
    like,
    parents,
    ...content
  }: Omit<FilesCommit, "parent"> & { like: string; parents: readonly string[] },
): Promise<string> {
  const person = await committerOf(repo, like);
  return commitOn({ ...repo, prefix: "" }, { from: undefined, parents, person, ...content });
}

type Content = Pick<FilesCommit, "files" | "message" | "date">;
/** `from`: the commit whose other files it has. */
type Base = { from: string | undefined; parents: readonly string[]; person: Environment };

async function commitOn(
  repo: Repository,
  { from, parents, person, files, message, date }: Content & Base,
): Promise<string> {
  const env = { GIT_INDEX_FILE: join(repo.privateDir, "files-index") };
  const entries: Buffer[] = [];
  for (const { path, content } of files) {
    const id = await readGitLine(repo, ["hash-object", "-w", "--stdin"], { input: content });
    const mode = from === undefined ? "100644" : await modeOf(repo, from, path);
    const name = encodePath(toTreePath(repo.prefix, path));
    entries.push(Buffer.from(`${mode} ${id}\t`), name, Buffer.from("\0"));
  }
  await runGit(repo, ["read-tree", from ?? "--empty"], { env });
  const input = Buffer.concat(entries);
  await runGit(repo, ["update-index", "--replace", "-z", "--index-info"], { env, input });
  const tree = await readGitLine(repo, ["write-tree"], { env });
  const at = `@${Math.floor(Date.parse(date) / 1000)} +0000`;
  const above = parents.flatMap((parent) => ["-p", parent]);
  return readGitLine(repo, ["commit-tree", ...above, "-m", message, tree], {
    env: { ...person, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
  });
}

/** A program stays one. */
async function modeOf(repo: Repository, commit: string, path: string): Promise<string> {
  const found = await runGit(repo, ["ls-tree", commit, "--", toTreePath(repo.prefix, path)]);
  return found.toString().startsWith("100755") ? "100755" : "100644";
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
