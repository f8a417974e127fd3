import { flushTree, objectMethod } from "../repository/flush-objects.ts";
import type { Change, Repository } from "../repository/repository.ts";
import { readGitLine, runGit, runScript } from "../repository/run-git.ts";
import { joinRecords, toTreePath } from "../trees/tree-path.ts";

/** Stages changes in the private index and answers its new tree, `tree` when nothing changed. Objects are on the disk. */
export async function stageChanges(
  repo: Repository,
  { tree, changes }: { tree: string; changes: readonly Change[] },
): Promise<string> {
  if (changes.length === 0) return tree;
  const isGone = (change: Change) => change.kind === "deleted";
  await unstage(repo, changes.filter(isGone));
  const present = changes.filter((change) => !isGone(change)).map(({ path }) => path);
  return stagePaths(repo, present);
}

/** From this many new objects on, one common flush is faster than one for each. */
const manyPaths = 32;

/** Stages paths below the project root as they are now; absent ones leave the index. Answers its tree. */
export async function stagePaths(repo: Repository, paths: readonly string[]): Promise<string> {
  const trees = objectMethod(repo);
  const files = trees === "fsync" && paths.length >= manyPaths ? "batch" : trees;
  const input = joinPaths(repo, paths);
  const tree = await runScript(repo, stageScript, { values: [files, trees], input });
  await flushTree(repo, tree);
  return tree;
}

const stageScript = `git -c core.fsyncMethod="$1" update-index --add --remove --replace -z --stdin
git -c core.fsyncMethod="$2" write-tree`;

/** The tree the private index holds. */
export const writeTree = (repo: Repository): Promise<string> => readGitLine(repo, ["write-tree"]);

/** Does not read the work tree, where a folder of the path may now be a link. */
async function unstage(repo: Repository, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const input = joinPaths(
    repo,
    changes.map(({ path }) => path),
  );
  await runGit(repo, ["update-index", "--force-remove", "-z", "--stdin"], { input });
}

/** Paths below the project root, as `-z --stdin` reads them. */
export const joinPaths = (repo: Repository, paths: readonly string[]): Buffer =>
  joinRecords(paths.map((path) => toTreePath(repo.prefix, path)));
