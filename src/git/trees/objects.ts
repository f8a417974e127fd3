import type { Repository } from "../repository/repository.ts";
import { askGit, gitFailed, readGitLine, runGit } from "../repository/run-git.ts";
import { splitRecords, toTreePath } from "./tree-path.ts";

const objectId = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether a text is a complete object id; values from a journal or bundle may be anything (T42). */
export const isObjectId = (text: string): boolean => objectId.test(text);

/** The ids that are not in this repository. */
export async function missingObjects(repo: Repository, ids: readonly string[]): Promise<string[]> {
  const askable = ids.filter(isObjectId);
  const args = ["cat-file", "--batch-check=%(objectname)"];
  const answer = await runGit(repo, args, { input: askable.map((id) => `${id}\n`).join("") });
  const present = new Set(answer.toString().split("\n"));
  return ids.filter((id) => !present.has(id));
}

/** The content of a regular file of a commit or tree; undefined for a missing one. A link does not count (T38). */
export async function readBlob(
  repo: Repository,
  { treeish, path }: { treeish: string; path: string },
): Promise<Buffer | undefined> {
  const [content] = await readFiles(repo, { treeish, paths: [path] });
  return content;
}

/** The same for several files, in the order of their paths. */
export async function readFiles(
  repo: Repository,
  { treeish, paths }: { treeish: string; paths: readonly string[] },
): Promise<(Buffer | undefined)[]> {
  const names = paths.map((path) => toTreePath(repo.prefix, path));
  const args = ["ls-tree", "-z", treeish, "--", ...names];
  const answer = await askGit(repo, args);
  // A caller that took a failed look for a missing file could overwrite the file.
  if (answer.exitCode !== 0 && !isUnknown.test(answer.stderr)) throw gitFailed(args, answer);
  const ids = new Map(splitRecords(answer.stdout).flatMap(fileEntry));
  if (ids.size === 0) return names.map(() => undefined);
  const contents = await readBlobs(repo, [...new Set(ids.values())]);
  return names.map((name) => contents.get(ids.get(name) ?? ""));
}

/** Name and id of a regular file in a line of `ls-tree`. */
function fileEntry(line: string): [name: string, id: string][] {
  const [, id, name] = /^100(?:644|755) blob ([0-9a-f]+)\t(.+)$/s.exec(line) ?? [];
  return id && name ? [[name, id]] : [];
}

const isUnknown = /not a valid object name|not a tree object/i;

/** Whether a commit is in the history of the other, as far as this repository knows. */
export async function isAncestor(
  repo: Repository,
  commit: string,
  later: string,
): Promise<boolean> {
  const args = ["merge-base", "--is-ancestor", commit, later];
  return (await askGit(repo, args)).exitCode === 0;
}

/** The tree of a commit. */
export const treeOf = (repo: Repository, commit: string): Promise<string> =>
  readGitLine(repo, ["rev-parse", "--verify", `${commit}^{tree}`]);

/** The commit that a revision names, if any. */
export async function commitOf(repo: Repository, revision: string): Promise<string | undefined> {
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
  const { exitCode, stdout } = await askGit(repo, args);
  return exitCode === 0 ? stdout.toString().trim() : undefined;
}

type Trailer = { key: string; value: string };

export type CommitFacts = { tree: string; parents: string[]; message: string; trailers: Trailer[] };

const commitFormat = "%T%x00%P%x00%(trailers:only,unfold)%x00%B";

/** The facts of a commit that an audit compares; undefined when there is no such commit. */
export async function readCommit(
  repo: Repository,
  commit: string,
): Promise<CommitFacts | undefined> {
  if (!isObjectId(commit)) return undefined;
  const args = ["log", "-1", "--no-show-signature", `--format=${commitFormat}`, commit];
  const { exitCode, stdout } = await askGit(repo, args);
  const [tree, parents, trailers, message] = stdout.toString().split("\0");
  if (exitCode !== 0 || tree === undefined || message === undefined) return undefined;
  return {
    tree,
    parents: (parents ?? "").split(" ").filter(Boolean),
    message,
    trailers: parseTrailers(trailers ?? ""),
  };
}

const parseTrailers = (text: string): Trailer[] =>
  text.split("\n").flatMap((line) => {
    const end = line.indexOf(": ");
    return end < 0 ? [] : [{ key: line.slice(0, end), value: line.slice(end + 2) }];
  });

/** The contents of blobs by id, from one process. A missing one is an error. */
export async function readBlobs(
  repo: Repository,
  ids: readonly string[],
): Promise<Map<string, Buffer>> {
  const input = ids.map((id) => `${id}\n`).join("");
  return parseBatch(await runGit(repo, ["cat-file", "--batch"], { input }));
}

/** Parses, for each object, `ID blob SIZE`, a line feed, the content and a line feed. Pure. */
function parseBatch(answer: Buffer): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  for (let from = 0; from < answer.length; ) {
    const end = answer.indexOf("\n", from);
    const [id = "", kind, bytes] = answer.toString("latin1", from, end).split(" ");
    if (kind !== "blob")
      throw gitFailed(["cat-file"], { exitCode: 128, stderr: `${id} is no file here: ${kind}` });
    const start = end + 1;
    const stop = start + Number(bytes);
    contents.set(id, answer.subarray(start, stop));
    from = stop + 1;
  }
  return contents;
}

const folder = "refs/ralph/kept/";

/** Protects a tree that is in no commit from pruning until `dropTrees` (design 4: work of a failed task). */
export async function keepTree(repo: Repository, tree: string): Promise<void> {
  await runGit(repo, ["update-ref", `${folder}${tree}`, tree]);
}

/** Releases kept trees; `ralph clean` does so with their session. */
export async function dropTrees(repo: Repository, trees: readonly string[]): Promise<void> {
  const input = trees.map((tree) => `delete ${folder}${tree}\n`).join("");
  await runGit(repo, ["update-ref", "--stdin"], { input });
}
