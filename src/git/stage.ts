import type { Change, Repository } from "./repository.ts";
import { readLine, runGit } from "./run-git.ts";
import { joinRecords, toTreePath } from "./tree-path.ts";

/**
 * Takes changes into the private index and answers the tree it now holds. `tree` is what it held before: the
 * answer when nothing changed, without any process. Objects are on the disk when this resolves.
 */
export async function stageChanges(
  repo: Repository,
  { tree, changes }: { tree: string; changes: readonly Change[] },
): Promise<string> {
  if (changes.length === 0) return tree;
  const isGone = (change: Change) => change.kind === "deleted";
  await unstage(repo, changes.filter(isGone));
  await stagePaths(
    repo,
    changes.filter((change) => !isGone(change)).map(({ path }) => path),
  );
  return writeTree(repo);
}

/** Takes paths below the project root as they are now; one that is absent leaves the index. */
export async function stagePaths(repo: Repository, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  const args = ["update-index", "--add", "--remove", "--replace", "-z", "--stdin"];
  await runGit(repo, args, { input: toInput(repo, paths) });
}

/** The tree the private index holds. */
export function writeTree(repo: Repository): Promise<string> {
  return readLine(repo, ["write-tree"]);
}

/** Without a look at the work tree, where a link may now stand above the path. */
async function unstage(repo: Repository, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const input = toInput(
    repo,
    changes.map(({ path }) => path),
  );
  await runGit(repo, ["update-index", "--force-remove", "-z", "--stdin"], { input });
}

function toInput(repo: Repository, paths: readonly string[]): Buffer {
  return joinRecords(paths.map((path) => toTreePath(repo.prefix, path)));
}
